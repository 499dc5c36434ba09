import { DONE, IntakeHold, type HoldReason } from '@form-webhooks/broker';
import { expect, it, vi } from 'vitest';
import { aMessage } from '../testing/factories.js';
import { idleConsumers, readableLogger, settled } from '../testing/fakes.js';
import { BeginWork } from './begin-work.js';
import { InFlightBytes } from './in-flight-bytes.js';

const MESSAGE = { body: Buffer.alloc(7) };
const NOTHING_SAFE: HoldReason = { why: 'the broker does not confirm', extent: 'work' };

function stage() {
  const intake = new IntakeHold(idleConsumers, ['queue'], readableLogger().logger);
  const inFlightBytes = new InFlightBytes(100, intake);
  const bytesAtWork: number[] = [];
  const work = vi.fn(async () => void bytesAtWork.push(inFlightBytes.size));
  return { intake, inFlightBytes, bytesAtWork, work, beginning: new BeginWork(inFlightBytes, intake) };
}

it('counts the bytes of a message until its work is done', async () => {
  const { inFlightBytes, bytesAtWork, work, beginning } = stage();
  expect(await beginning.begin(aMessage(MESSAGE), work)).toEqual(DONE);
  expect(bytesAtWork).toEqual([7]);
  expect(inFlightBytes.size).toBe(0);
});

it('holds a message back while no work may begin, and counts its bytes meanwhile', async () => {
  const { intake, inFlightBytes, work, beginning } = stage();
  void intake.hold(NOTHING_SAFE);
  const handling = beginning.begin(aMessage(MESSAGE), work);
  await settled();
  expect(inFlightBytes.size).toBe(7);
  expect(work).not.toHaveBeenCalled();
  intake.release(NOTHING_SAFE);
  expect(await handling).toEqual(DONE);
  expect(work).toHaveBeenCalledTimes(1);
});

it('does no work for what the broker took back meanwhile, and is done with it', async () => {
  const { intake, work, beginning } = stage();
  void intake.hold(NOTHING_SAFE);
  let ours = true;
  const handling = beginning.begin(aMessage({ ...MESSAGE, isOurs: () => ours }), work);
  await settled();
  ours = false;
  intake.release(NOTHING_SAFE);
  expect(await handling).toEqual(DONE);
  expect(work).not.toHaveBeenCalled();
});

it('fails with the work, and counts its bytes no more', async () => {
  const { inFlightBytes, beginning } = stage();
  await expect(beginning.begin(aMessage(MESSAGE), () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  expect(inFlightBytes.size).toBe(0);
});
