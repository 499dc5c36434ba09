import { expect, it } from 'vitest';
import { isDatabaseAway } from './database-away.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), code ? { code } : {});

it.each([
  failure('terminating connection due to administrator command', '57P01'),
  failure('the database system is starting up', '57P03'),
  failure('database "d" is not currently accepting connections', '55000'),
  failure('sorry, too many clients already', '53300'),
  failure('could not extend file', '53100'),
  failure('cannot execute INSERT in a read-only transaction', '25006'),
  failure('password authentication failed for user "u"', '28P01'),
  failure('database "d" does not exist', '3D000'),
  failure('could not read block', '58030'),
  failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  failure('Connection terminated unexpectedly'),
  failure('timeout exceeded when trying to connect'),
])('a database that can serve nobody now is away, whatever it is asked: %s', (error) => {
  expect(isDatabaseAway(error)).toBe(true);
});

it.each([
  failure('duplicate key value', '23505'),
  failure('column "x" does not exist', '42703'),
  failure('permission denied for table forms', '42501'),
  failure('canceling statement due to statement timeout', '57014'),
  failure('x is not a function'),
])('a fault of what was asked is none of the database: %s', (error) => {
  expect(isDatabaseAway(error)).toBe(false);
});
