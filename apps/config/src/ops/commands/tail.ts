import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryDto, DeliveryListDto } from '@form-webhooks/http-api';
import { ApiClient } from '../api-client.js';
import { EventLines } from '../event-lines.js';
import { EXIT, type OpsCall, type OpsCommand } from '../ops-command.js';
import { lineOfDelivery } from './find.js';

/** So many of a form's newest deliveries are looked at each time; what changes further back is not shown. */
const LOOKED_AT = 100;
const SHOWN_FIRST = 10;
/** How long until the stream is opened again, and between looks where there is none. */
const AGAIN_MS = 3_000;

/** A form's delivery log, live. */
export const TAIL: OpsCommand = {
  name: 'tail',
  takes: ['form_id'],
  summary: "a form's delivery log, live: its newest deliveries and each change of them, until Ctrl-C",
  notes: [
    `Changes of the newest ${LOOKED_AT} deliveries are shown. With --json it prints one document a line.`,
    'It is told by the live stream of the API, and looks every few seconds where that can not be had.',
  ],
  afterInterrupt: null,
  async run(call) {
    const api = new ApiClient(call.installation);
    const log = new FormLog(call, api);
    await log.show(SHOWN_FIRST);
    while (!call.signal.aborted) await follow(call, api, log);
    return EXIT.fine;
  },
};

/** Until the stream ends. What fails is told and tried again: who watches a log does so while things are wrong. */
async function follow(call: OpsCall, api: ApiClient, log: FormLog): Promise<void> {
  try {
    await watch(call, api, log);
  } catch (error) {
    if (!call.signal.aborted) call.output.progress(`${(error as Error).message}; trying again`);
  }
  await delay(AGAIN_MS, undefined, { signal: call.signal }).catch(() => undefined);
}

async function watch(call: OpsCall, api: ApiClient, log: FormLog): Promise<void> {
  const path = `/v1/forms/${encodeURIComponent(call.args[0]!)}/live`;
  await log.show(LOOKED_AT);
  const response = await api.stream(path, call.signal, { 'last-event-id': 'tail' });
  for await (const { event, data } of new EventLines(response.body!)) {
    if (event === 'end') return;
    if (topicsOf(data).includes('deliveries')) await log.show(LOOKED_AT);
  }
}

const topicsOf = (data: string): readonly string[] => (JSON.parse(data) as { topics?: string[] }).topics ?? [];

/** What of a form's log was shown already. */
class FormLog {
  private shown = new Map<string, string>();

  constructor(
    private readonly call: OpsCall,
    private readonly api: ApiClient,
  ) {}

  /** Shows what changed among the newest deliveries, the oldest first. */
  async show(most: number): Promise<void> {
    const path = `/v1/forms/${encodeURIComponent(this.call.args[0]!)}/deliveries?limit=${LOOKED_AT}`;
    const { items } = await this.api.call<DeliveryListDto>('GET', path);
    const changed = items.filter((delivery) => this.shown.get(delivery.delivery_id) !== standingOf(delivery));
    // Only what is looked at is remembered, so it never grows.
    this.shown = new Map(items.map((delivery) => [delivery.delivery_id, standingOf(delivery)]));
    for (const delivery of changed.slice(0, most).toReversed()) {
      this.call.output.result(delivery, [`${new Date().toISOString()}  ${lineOfDelivery(delivery)}`]);
    }
  }
}

const standingOf = ({ state, generation, attempt_count, next_attempt_at }: DeliveryDto): string =>
  `${state} ${generation} ${attempt_count} ${next_attempt_at}`;
