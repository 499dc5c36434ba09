import { expect, it, vi } from 'vitest';
import type { EventSearchDto, FoundEventDto } from '@form-webhooks/http-api';
import { Installation } from '../installation.js';
import type { OpsCall } from '../ops-command.js';
import { FIND } from './find.js';

const event = (id: string): FoundEventDto => ({
  ...{ event_id: id, event: 'draft.resumed', form_id: 'f_1', submission_id: 's_1', accepted_at: null, deliveries: [] },
  ...{ outcome: 'no_endpoints', idempotency_key: null, summary: `It is ${id}.` },
});

async function linesOf(found: EventSearchDto): Promise<readonly string[]> {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(JSON.stringify(found)));
  const result = vi.fn<(document: unknown, lines: readonly string[]) => void>();
  const installation = new Installation('a test', { ADMIN_API_KEY: 'the-admin-key-of-the-tests-0123456789' });
  await FIND.run({ installation, output: { result }, args: ['id'] } as unknown as OpsCall);
  return result.mock.calls[0]![1];
}

it('find says once what became of a single event, and of each of several', async () => {
  const heading = 'draft.resumed  form f_1  submission s_1';
  expect(await linesOf({ summary: 'It is e1.', events: [event('e1')], broker: null })).toEqual([
    'It is e1.',
    `event e1  ${heading}`,
  ]);
  expect(await linesOf({ summary: 'Two.', events: [event('e1'), event('e2')], broker: null })).toEqual([
    ...['Two.', `event e1  ${heading}`, '  It is e1.', `event e2  ${heading}`, '  It is e2.'],
  ]);
});
