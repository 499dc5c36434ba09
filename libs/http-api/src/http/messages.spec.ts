import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { describe, expect, it } from 'vitest';
import * as api from '../index.js';

type Shape = new () => object;

/** Every class of the API that has rules, as far as a caller fills it in. */
const SHAPES = (Object.values(api) as readonly unknown[]).filter(
  (one): one is Shape => typeof one === 'function' && rulesOf(one as Shape).length > 0,
);

function rulesOf(shape: Shape): ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']> {
  return getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
}

const messagesOf = ({ constraints = {}, children = [] }: ValidationError): string[] => [
  ...Object.values(constraints),
  ...children.flatMap(messagesOf),
];

/** Each breaks some rules, and together they break all. */
const SINGLE = [null, true, -0.12345, 1e9, '', '\0', 'x'.repeat(9_000), {}, { x: 'x'.repeat(1e6) }];
const BAD = [...SINGLE, [], ...[...SINGLE, 410].map((one) => [one, one]), Array(2_000).fill('')];

function messagesFor(shape: Shape): string[] {
  const names = new Set(rulesOf(shape).map(({ propertyName }) => propertyName));
  return BAD.flatMap((bad) => {
    const filled = Object.assign(new shape(), Object.fromEntries([...names].map((name) => [name, bad])));
    return validateSync(filled, { forbidUnknownValues: false }).flatMap(messagesOf);
  });
}

const MESSAGES = [...new Set(SHAPES.flatMap(messagesFor))];

describe('what a caller is told of a member that is not right', () => {
  it('never is a regular expression, nor that there are constraints', () => {
    expect(
      MESSAGES.filter((text) => /regular expression|constraint|elements must|\/\^|\\x|\[A-Z|URL address/.test(text)),
    ).toEqual([]);
  });

  it.each([
    'rate_limit must be a number with at most 3 decimal places',
    'id must be 1 to 128 letters, digits or any of . _ : -',
    'endpoint_id must be we_ and 1 to 60 letters, digits, _ or -',
    'each value in delivery_ids must be dlv_ and 1 to 60 letters, digits, _ or -',
    'host_url must be an absolute http or https URL such as https://app.example.com/forms',
    'cursor must be the next_cursor of the page before',
    'events must name each value once',
  ])('says in words: %s', (text) => {
    expect(MESSAGES).toContain(text);
  });
});
