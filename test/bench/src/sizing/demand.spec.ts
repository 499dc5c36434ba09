import { describe, expect, it } from 'vitest';
import { readDemand, WrongCall } from './demand.js';

describe('a call of sizing', () => {
  it('asks for what it says, and for what is usual otherwise', () => {
    const demand = readDemand(['--deliveries', '500', '--retries=0.2']);
    expect(demand).toMatchObject({ deliveriesPerSecond: 500, retriesPerDelivery: 0.2, brokerNodes: 3 });
  });

  it('can be for help', () => {
    expect(readDemand(['--help'])).toBeUndefined();
  });

  it.each([
    [['foo'], "Unexpected argument 'foo'"],
    [['--node', '3'], "Unknown option '--node'"],
    [['--deliveries'], "Option '--deliveries <value>' argument missing"],
    [['--deliveries', 'x'], '--deliveries must be a number from 0 on, such as 10000'],
    [['--days='], '--days must be a number from 0 on, such as 30'],
    [['--nodes=-1'], '--nodes must be a number from 0 on, such as 3'],
  ])('with %j is told in one line what to write instead', (args, told) => {
    const read = (): unknown => readDemand(args);
    expect(read).toThrow(WrongCall);
    expect(read).toThrow(told);
    expect(read).not.toThrow(/\n/);
  });
});
