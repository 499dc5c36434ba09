import { KeyRing } from '@form-webhooks/domain';
import { formEndpointsText, type FormEndpointsReply } from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it } from 'vitest';
import { anEndpoint } from '../testing/factories.js';
import { readableLogger, samplesOf } from '../testing/fakes.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { FormUnknown } from './form-endpoints.js';
import { VouchedAnswers } from './vouched-answers.js';

const ring = new KeyRing(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
const ANSWER = {
  registered: true,
  deleted: false,
  workspace_id: 'ws_1',
  endpoints: [anEndpoint()],
  erased_submissions: [],
  erasures_listed_since: 0,
  now: Date.now(),
};
const GENUINE: FormEndpointsReply = { ...ANSWER, voucher: ring.vouch(formEndpointsText('f_1', ANSWER)) };

function stage() {
  const metrics = new Metrics('dispatcher');
  const { logger, lines } = readableLogger();
  const accepted: FormEndpointsReply[] = [];
  const answers = new VouchedAnswers(ring, metrics, logger, (reply) => accepted.push(reply));
  let answer: FormEndpointsReply = GENUINE;
  const directory = new EndpointDirectory(
    async () => answer,
    0,
    logger,
    { ifErased: async () => false, ifDeleted: async () => true },
    answers,
  );
  return {
    lines,
    accepted,
    directory,
    answerWith: (changed: object) => (answer = { ...GENUINE, ...changed }),
    refused: () => samplesOf(metrics, 'webhook_form_answers_refused_total'),
  };
}

describe('an answer about a form', () => {
  it('is believed if config vouches for it', async () => {
    const { directory } = stage();
    expect((await directory.lookup('f_1')).endpoints.get('we_1')).toEqual(anEndpoint());
  });

  it('is told of only if config vouches for it: nobody else’s clock is compared with', async () => {
    const { directory, accepted, answerWith } = stage();
    await directory.lookup('f_1');
    answerWith({ endpoints: [], now: 0 });
    await directory.lookup('f_1');
    expect(accepted).toEqual([GENUINE]);
  });

  it.each<[string, object]>([
    ['another URL', { endpoints: [anEndpoint({ url: 'https://evil.example/' })] }],
    ['another workspace', { workspace_id: 'ws_2' }],
    ['another endpoint id', { endpoints: [anEndpoint({ id: 'we_2' })] }],
    ['an endpoint switched off', { endpoints: [anEndpoint({ enabled: false })] }],
    ['an endpoint less', { endpoints: [] }],
    ['a removal', { registered: false, deleted: true }],
    ['an erasure', { erased_submissions: ['s_1'] }],
    ['no voucher', { voucher: undefined }],
    ['a voucher of another ring', { voucher: new KeyRing(`k1:${Buffer.alloc(32, 2).toString('base64')}`).vouch('') }],
    ['no endpoints at all', { endpoints: null }],
  ])('with %s is refused: the form is unknown, a metric counts it, one line tells it', async (_, changed) => {
    const { directory, lines, answerWith, refused } = stage();
    answerWith(changed);
    for (let n = 0; n < 3; n++) await expect(directory.lookup('f_1')).rejects.toBeInstanceOf(FormUnknown);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 50, form_id: 'f_1' });
    expect(JSON.stringify(lines)).not.toContain('evil');
    expect((await refused())[0]).toMatch(/ 3$/);
  });

  it('about another form is none about this one', async () => {
    const { directory } = stage();
    await expect(directory.lookup('f_2')).rejects.toBeInstanceOf(FormUnknown);
  });

  it('that is refused leaves what config said before in force', async () => {
    const { directory, answerWith } = stage();
    await directory.lookup('f_1');
    answerWith({ endpoints: [] });
    expect((await directory.lookup('f_1')).endpoints.size).toBe(1);
  });
});
