import { setTimeout as delay } from 'node:timers/promises';
import { AccessSettings } from '../../access/access-settings.js';
import { ApiClient } from '../api-client.js';
import {
  countOption,
  EXIT,
  OpsFailure,
  textOption,
  wrongCall,
  type ExitCode,
  type OpsCall,
  type OpsCommand,
} from '../ops-command.js';
import { OpsSettings } from '../ops-settings.js';
import { BenchForms, SUBMISSION } from './bench-forms.js';
import { BenchReceiver } from './bench-receiver.js';
import { Measuring, measurementLines } from './measurement.js';

const EVENTS = 500;
const RATE = 50;
const FORMS = 5;
const WAIT_S = 60;
/** Calls of ingest that are under way at once; when so many are, it sends more slowly than asked for. */
const CALLS_AT_ONCE = 200;
const CALL_WITHIN_MS = 30_000;
const LOOK_EACH_MS = 50;
/** For removing the forms after Ctrl-C: two calls of the API each. */
const ENDS_WITHIN_MS = 60_000;

/** How fast is this installation? */
export const BENCH: OpsCommand = {
  name: 'bench',
  takes: [],
  summary:
    'how fast is this installation? Sends events of forms of its own to a receiver of its own, then removes both',
  options: {
    url: { type: 'string', meaning: 'where dispatchers reach the receiver, such as https://bench.example:8443' },
    listen: { type: 'string', meaning: 'where it listens, such as 0.0.0.0:8443; 127.0.0.1 and any port by default' },
    cert: { type: 'string', meaning: 'its certificate, a PEM file; without one a proxy before it ends TLS' },
    key: { type: 'string', meaning: "the certificate's key, a PEM file" },
    events: { type: 'string', meaning: `how many events, ${EVENTS} by default` },
    rate: { type: 'string', meaning: `events a second, ${RATE} by default` },
    forms: { type: 'string', meaning: `how many forms they are of, ${FORMS} by default` },
    wait: { type: 'string', meaning: `seconds to wait for the last deliveries, ${WAIT_S} by default` },
  },
  notes: [
    'It makes real load on the present installation, beside that of its customers. After Ctrl-C it cleans up, for at most',
    `${ENDS_WITHIN_MS / 1_000} s; it names each form that it makes, so that what is left can be removed by hand.`,
    'What it sent stays in the delivery log without its payload. See docs/ops.md#bench',
  ],
  endsWithinMs: ENDS_WITHIN_MS,
  afterInterrupt: 'forms that it made and could not remove are named above: DELETE /v1/forms/{form_id} for each',
  async run(call) {
    // All that can be called wrongly is read before anything is made.
    const load = loadOf(call);
    const place = placeOf(call);
    const url = urlOption(call);
    const measuring = new Measuring();
    const post = poster(call);
    const receiver = await BenchReceiver.start(place, (body) => note(measuring, body));
    const forms = new BenchForms(new ApiClient(call.installation), url ?? `https://localhost:${receiver.port}/`);
    try {
      const onMade = (id: string): void => call.output.progress(`made the form ${id}`);
      await forms.make(load.forms, call.signal, onMade);
      await sendAll(call, load, forms.ids, measuring, post);
      await untilDelivered(call, load, measuring);
    } finally {
      call.output.progress('removing what it made');
      const left = await forms.remove();
      if (left.length > 0) call.output.progress(`these forms could not be removed: ${left.join(', ')}`);
      await receiver.close();
    }
    return tell(call, measuring);
  },
};

function tell({ output, signal }: OpsCall, measuring: Measuring): ExitCode {
  const result = measuring.result();
  output.result(result, measurementLines(result));
  if (signal.aborted) return EXIT.interrupted;
  return result.delivered === result.accepted && result.accepted === result.sent ? EXIT.fine : EXIT.found;
}

/** What is sent, and for how long the last of it is waited for. */
interface Load {
  readonly events: number;
  /** Events a second. */
  readonly rate: number;
  readonly forms: number;
  readonly waitMs: number;
}

/** @throws OpsFailure if a number is none */
const loadOf = (call: OpsCall): Load => ({
  events: countOption(call, 'events', EVENTS),
  rate: countOption(call, 'rate', RATE),
  forms: countOption(call, 'forms', FORMS),
  waitMs: countOption(call, 'wait', WAIT_S) * 1_000,
});

const placeOf = (call: OpsCall) => {
  const { benchCertificate, benchKey } = call.installation.settings(OpsSettings);
  const certFile = textOption(call, 'cert') ?? benchCertificate;
  const keyFile = textOption(call, 'key') ?? benchKey;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw wrongCall('--cert and --key need each other', 'give both, or none where a proxy before it ends TLS');
  }
  const certificate = certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
  return { listen: textOption(call, 'listen') ?? '127.0.0.1:0', certificate };
};

/** Ends with a slash, so that each form's path comes below it. @throws OpsFailure if it is no URL */
function urlOption(call: OpsCall): string | undefined {
  const url = textOption(call, 'url');
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) throw wrongCall(`--url ${url} is no URL`, 'give one such as https://bench.example:8443');
  return `${url.replace(/\/$/, '')}/`;
}

function note(measuring: Measuring, body: string): void {
  try {
    const { fields } = JSON.parse(body) as { fields?: { n?: unknown } };
    if (typeof fields?.n === 'number') measuring.arrives(fields.n, performance.now());
  } catch {
    // Whatever else is sent to the port is no delivery.
  }
}

/** Resolves once every call has been answered. */
async function sendAll(
  call: OpsCall,
  { events, rate }: Load,
  forms: readonly string[],
  measuring: Measuring,
  post: Post,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const began = performance.now();
  for (let n = 0; n < events && !call.signal.aborted; n += 1) {
    const early = began + (n * 1_000) / rate - performance.now();
    if (early > 1) await delay(early, undefined, { signal: call.signal }).catch(() => undefined);
    if (underWay.size >= CALLS_AT_ONCE) await Promise.race(underWay);
    const sending = sendOne(n, forms[n % forms.length]!, measuring, post).finally(() => underWay.delete(sending));
    underWay.add(sending);
    if (n > 0 && n % rate === 0) call.output.progress(`${n} of ${events} sent`);
  }
  await Promise.all(underWay);
}

async function sendOne(n: number, formId: string, measuring: Measuring, post: Post): Promise<void> {
  measuring.sends(n, performance.now());
  const event = { event: 'draft.resumed', form_id: formId, submission_id: SUBMISSION, fields: { n } };
  // Nobody refused what has no answer, as after Ctrl-C: it may have been accepted.
  const status = await post(JSON.stringify(event)).catch(() => undefined);
  if (status === 202) measuring.accepted(n, performance.now());
  else if (status !== undefined) measuring.refuses(String(status));
}

type Post = (body: string) => Promise<number>;

/** @throws OpsFailure if nobody says where ingest is */
function poster({ installation, signal }: OpsCall): Post {
  const { ingestUrl } = installation.settings(OpsSettings);
  if (ingestUrl === undefined) {
    throw new OpsFailure('it is not known where ingest is', 'set INGEST_URL, such as https://events.example');
  }
  const { adminApiKey } = installation.settings(AccessSettings);
  const headers = { authorization: `Bearer ${adminApiKey}`, 'content-type': 'application/json' };
  const url = new URL('/v1/events', ingestUrl);
  return async (body) => {
    const init: RequestInit = { method: 'POST', headers, body, redirect: 'error' };
    const ended = AbortSignal.any([signal, AbortSignal.timeout(CALL_WITHIN_MS)]);
    const response = await fetch(url, { ...init, signal: ended });
    await response.arrayBuffer();
    return response.status;
  };
}

async function untilDelivered({ signal }: OpsCall, { waitMs }: Load, measuring: Measuring): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (!measuring.isComplete && performance.now() < deadline && !signal.aborted) await delay(LOOK_EACH_MS);
}
