import { AmqpDoor } from './load/amqp-door.js';
import { Backlog } from './load/backlog.js';
import { Canary } from './load/canary.js';
import { DeliveryLogReader } from './judge/delivery-log.js';
import { expectedDeliveries, type ExpectedDelivery } from './judge/expectation.js';
import { FaultRun } from './faults/fault-run.js';
import { Scene, type OtherEvents, type OutageSpans } from './faults/fault.js';
import { HttpDoor } from './load/http-door.js';
import { Judge } from './judge/judge.js';
import { EventsToOneForm, FLOOD, LARGE } from './load/events-to-one-form.js';
import { Load } from './load/load.js';
import { Owner } from './load/owner.js';
import { Publisher, type Door } from './load/publisher.js';
import { untilQuiet } from './judge/quiet.js';
import { SeededRandom } from './load/random.js';
import type { SurvivalReport } from './judge/report.js';
import type { SurvivalSettings } from './settings.js';
import { Stage } from './stage/stage.js';
import { waitsByKind } from './judge/waits.js';

/** What an outage may pile up. */
const BACKLOG_SECONDS = 20;
/** Of the form that gets large events. */
const LATE_ENDPOINTS = 20;

export interface RunPlan {
  readonly settings: SurvivalSettings;
  /** Holds everything of the run; the caller makes and removes it. */
  readonly folder: string;
  readonly spans: OutageSpans;
  readonly quietWithinMs: number;
  /** Strikes; when it resolves the load ends. */
  readonly strike: (faults: FaultRun) => Promise<void>;
  readonly say: (line: string) => void;
  /** Ends the run early, in order and unjudged. */
  readonly signal?: AbortSignal;
}

/** One run: load and faults, then quiet, then the judgement. Everything it started has ended when it resolves. */
export async function survive(plan: RunPlan): Promise<SurvivalReport> {
  const stage = new Stage(plan.folder, plan.settings);
  try {
    return await Promise.race([startAndRun(plan, stage), interrupted(plan.signal)]);
  } finally {
    await stage.stop();
  }
}

async function startAndRun(plan: RunPlan, stage: Stage): Promise<SurvivalReport> {
  await stage.start();
  return new Run(plan, stage).run();
}

const interrupted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('the run was interrupted')));
  });

class Run {
  private readonly random: SeededRandom;

  constructor(
    private readonly plan: RunPlan,
    private readonly stage: Stage,
  ) {
    this.random = new SeededRandom(plan.settings.seed);
  }

  async run(): Promise<SurvivalReport> {
    const { stage, plan } = this;
    const owner = new Owner(stage.configUrl, stage.adminKey, stage.receivers);
    const load = new Load(plan.settings.seed, await owner.makeForms(plan.settings.forms));
    const canaryForm = await owner.makeForm('f_canary', ['steady', 'steady', 'steady']);
    const http = new HttpDoor(stage.ingestUrls, await owner.makeServiceKey());
    const amqp = new AmqpDoor(stage.broker.url);
    const canary = new Canary(load, canaryForm, http, stage.receivers);
    const others = await this.otherEvents(owner, load, http);
    const { perSecond } = plan.settings;
    const backlog = new Backlog(stage.receivers, canaryForm.endpoints.length, perSecond * BACKLOG_SECONDS);
    const publisher = new Publisher(load, [http, http, http, amqp], perSecond, backlog);
    try {
      return await this.strikeAndJudge(load, publisher, canary, others);
    } finally {
      backlog.stop();
      http.close();
      await amqp.close();
    }
  }

  private async otherEvents(owner: Owner, load: Load, door: Door): Promise<OtherEvents> {
    const { receivers } = this.stage;
    const { needs = [] } = this.plan.settings;
    const others: { -readonly [name in keyof OtherEvents]: OtherEvents[name] } = {};
    if (needs.includes('large events')) {
      const form = await owner.makeForm('f_large', Array<'late'>(LATE_ENDPOINTS).fill('late'));
      others.large = new EventsToOneForm(load, form, door, LARGE, receivers);
    }
    if (needs.includes('a flood')) {
      const form = await owner.makeForm('f_flood', ['brief']);
      others.flood = new EventsToOneForm(load, form, door, FLOOD, receivers);
    }
    return others;
  }

  private async strikeAndJudge(
    load: Load,
    publisher: Publisher,
    canary: Canary,
    { large, flood }: OtherEvents,
  ): Promise<SurvivalReport> {
    const { stage, plan } = this;
    const scene = new Scene(stage, this.random, plan.spans, canary, { large, flood });
    const accepted = (): number => publisher.accepted;
    const faults = new FaultRun(scene, (line) => plan.say(`${accepted()} events; ${line}`), accepted);
    await canary.fly(plan.quietWithinMs);
    const began = Date.now();
    publisher.start();
    await plan.strike(faults);
    const minutes = (Date.now() - began) / 60_000;
    const allAccepted = await publisher.stop(plan.quietWithinMs);
    plan.say(`${publisher.accepted} events accepted; waiting until all is quiet`);

    const others = [...canary.events, ...(large?.events ?? []), ...(flood?.events ?? [])];
    const expected = expectedDeliveries(load, publisher.begun, others);
    const found = await this.judge(expected, scene, faults);
    const unaccepted = publisher.begun - publisher.accepted;
    return {
      ...found,
      minutes,
      events: publisher.accepted + others.length,
      waits: waitsByKind(faults.struck, expected.values(), publisher.begunAt),
      faults: [
        ...found.faults,
        ...(allAccepted ? [] : [`${unaccepted} events were not accepted in the end`]),
        ...publisher.failures.slice(0, 20),
      ],
    };
  }

  private async judge(
    expected: Map<string, ExpectedDelivery>,
    { deaths, restoredAt: restores }: Scene,
    faults: FaultRun,
  ): Promise<Omit<SurvivalReport, 'minutes' | 'events' | 'waits'>> {
    const { stage, plan } = this;
    const log = new DeliveryLogReader(stage.postgres.url);
    const restoredAt = restores.at(-1);
    const inLog = restoredAt === undefined ? expected.size : 0;
    const quiet = await untilQuiet(log, stage.broker, inLog, plan.quietWithinMs, plan.say);
    await stage.receivers.flush();
    const judge = new Judge(expected, deaths, faults.mayHaveLostMessages, restoredAt);
    const judgement = await judge.judge(stage.receivers.recordFile, log);
    const { failure } = stage.receivers;
    return {
      ...judgement,
      seed: plan.settings.seed,
      deliveries: expected.size,
      struck: faults.struck,
      quietMs: quiet.tookMs,
      strandedMessages: quiet.strandedMessages,
      faults: [
        ...judgement.faults,
        ...(failure === undefined ? [] : [failure]),
        ...quiet.left,
        ...faults.failures,
        ...stage.crashes,
      ],
    };
  }
}
