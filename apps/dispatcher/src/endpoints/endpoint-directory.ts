import { LRUCache } from 'lru-cache';
import { RpcBusy, RpcFailed, RpcUnavailable } from '@form-webhooks/broker';
import type { DeliveryMessage, FormEndpointsReply } from '@form-webhooks/messages';
import type { Logger } from '@form-webhooks/telemetry';
import type { DueFormLookup } from '../attempt/attempt-delivery.js';
import type { EventFormLookup } from '../fan-out/fan-out.js';
import { ConfigSilence, MAX_ASKED_IN_SILENCE } from './config-silence.js';
import { FormUnknown, type FormEndpoints } from './form-endpoints.js';
import { RegisteredForms } from './registered-forms.js';
import type { VouchedAnswers } from './vouched-answers.js';

const MAX_FORMS = 20_000;
/** Deleted endpoints that are remembered: none comes back, and many deliveries may be waiting for one. */
const MAX_DELETED_KNOWN = 20_000;
/** Submissions that are remembered as not erased: those whose attempts ask before a slot and in it, and no more. */
const MAX_UNERASED_KNOWN = 20_000;
/** From this share of its greatest age on, an answer that is used is renewed in the background. */
const REFRESH_SHARE = 0.5;
/** A service that starts beside others, or a config that is replaced, needs less. */
const IN_VAIN_FOR_MS = 30_000;

/** Asks config for a form's endpoints. @throws RpcUnavailable, RpcFailed */
export type AskForForm = (formId: string) => Promise<FormEndpointsReply>;

/** What is asked of config about single things that a form's answer doesn't tell. */
export interface SingleQuestions {
  /** Whether a submission was erased. @throws RpcUnavailable, RpcFailed */
  ifErased(formId: string, submissionId: string): Promise<boolean>;
  /** Whether an endpoint was deleted; false if there never was one. @throws RpcUnavailable, RpcFailed */
  ifDeleted(formId: string, endpointId: string): Promise<boolean>;
}

/**
 * The cached lookup of forms. Concurrent lookups of one form are one call; a notice drops the copy, and a lookup that
 * began before it is not kept. While config leaves questions unanswered what is cached serves on, and who can't do
 * without an answer is put off at once: a frozen config must not hold the slots of those who can.
 */
export class EndpointDirectory implements DueFormLookup, EventFormLookup {
  private readonly cache = new LRUCache<string, FormEndpoints>({ max: MAX_FORMS });
  private readonly asking = new Map<string, Promise<FormEndpoints>>();
  private readonly deleted = new LRUCache<string, true>({ max: MAX_DELETED_KNOWN });
  /** Submissions of which config said so, each with `fetchedAt` of its form's copy, which is as long as that holds. */
  private readonly unerased = new LRUCache<string, number>({ max: MAX_UNERASED_KNOWN });
  /** Since when no question got an answer that is to be trusted; undefined after one that did. */
  private inVainSince: number | undefined;
  private readonly registered = new RegisteredForms();
  private readonly silence: ConfigSilence;
  /** What became of questions about forms since the start. */
  readonly lookups = { answered: 0, unanswered: 0, not_vouched_for: 0 };
  /** Of copies that are not younger than this, changes may have been missed. */
  private missedAt = -Infinity;

  constructor(
    private readonly ask: AskForForm,
    private readonly maxAgeMs: number,
    logger: Logger,
    private readonly single: SingleQuestions,
    private readonly answers: Pick<VouchedAnswers, 'accept'>,
  ) {
    this.silence = new ConfigSilence(logger);
  }

  /** Forms of which an answer is kept. */
  get formsKept(): number {
    return this.cache.size;
  }

  /**
   * False if nothing is known of any form and config was asked in vain for half a minute, or each answer was not one of
   * a config with our key ring: all that comes is put off then.
   */
  get knowsForms(): boolean {
    if (this.cache.size > 0 || this.inVainSince === undefined) return true;
    return performance.now() - this.inVainSince < IN_VAIN_FOR_MS;
  }

  /** For how long config has left questions unanswered, ms: so much older than their greatest age answers may be. */
  get silentMs(): number {
    return this.silence.ms;
  }

  /**
   * The form as a delivery that fell due needs it: also when its list of erasures is too short to tell of this
   * delivery. That is so where a form had more erasures than an answer lists, and, while config is of an earlier release,
   * for what waited longer than it lists them for; and when its endpoint is not among the form's, whether there ever was
   * one. @throws FormUnknown
   */
  lookupFor(delivery: DeliveryMessage): Promise<FormEndpoints> {
    const young = this.youngAnswer(delivery.formId);
    // Nearly always, and twice for each attempt.
    if (young?.endpoints.has(delivery.endpointId) && listsErasuresFor(delivery, young)) return Promise.resolve(young);
    return this.findOut(delivery, young);
  }

  private async findOut(delivery: DeliveryMessage, young: FormEndpoints | undefined): Promise<FormEndpoints> {
    const { formId, submissionId, endpointId } = delivery;
    const found = young ?? (await this.lookup(formId));
    const form = found.endpoints.has(endpointId) ? found : await this.withoutEndpoint(found, formId, endpointId);
    if (listsErasuresFor(delivery, form)) return form;
    const submission = `${formId} ${submissionId}`;
    if (this.unerased.get(submission) === form.fetchedAt && this.ageOf(form) <= this.maxAgeMs) return form;
    if (await this.askSingly(formId, () => this.single.ifErased(formId, submissionId))) {
      return { ...form, erasedSubmissions: new Set([submissionId]) };
    }
    this.unerased.set(submission, form.fetchedAt);
    return form;
  }

  /** An endpoint that is missing was deleted, or is one that config's database, a restored one, has never had. */
  private async withoutEndpoint(form: FormEndpoints, formId: string, endpointId: string): Promise<FormEndpoints> {
    if (!form.registered || this.deleted.has(endpointId)) return form;
    if (!(await this.askSingly(formId, () => this.single.ifDeleted(formId, endpointId)))) {
      return { ...form, unknownEndpoints: new Set([endpointId]) };
    }
    this.deleted.set(endpointId, true);
    return form;
  }

  /** One that goes unanswered shows no silence by itself: whether it is one, a question about the form tells. */
  private async askSingly(formId: string, question: () => Promise<boolean>): Promise<boolean> {
    try {
      return await this.silence.ask(question);
    } catch (error) {
      if (error instanceof RpcUnavailable && !(error instanceof RpcBusy)) this.renew(formId);
      return asUnknown(error);
    }
  }

  /** An answer that is as fresh as config allows; an older one while config is away. @throws FormUnknown */
  async lookup(formId: string): Promise<FormEndpoints> {
    const young = this.youngAnswer(formId);
    if (young) return young;
    const cached = this.cache.get(formId);
    if (!cached) return this.fetchAtOnce(formId);
    if (this.silence.lasts) {
      this.renew(formId);
      return cached;
    }
    return this.fetch(formId).catch((error: unknown) => {
      if (error instanceof FormUnknown) return this.cache.get(formId) ?? Promise.reject(error);
      throw error;
    });
  }

  /** What is cached, if it is young enough to be used; it is renewed in time. */
  private youngAnswer(formId: string): FormEndpoints | undefined {
    const cached = this.cache.get(formId);
    const age = cached ? this.ageOf(cached) : Infinity;
    if (age > this.maxAgeMs) return undefined;
    if (age > this.maxAgeMs * REFRESH_SHARE) this.renew(formId);
    return cached;
  }

  /** An answer that config gave at most `maxAgeMs` ago. @throws FormUnknown, at once while config is silent */
  async lookupFresh(formId: string, maxAgeMs: number): Promise<FormEndpoints> {
    const cached = this.cache.get(formId);
    return cached && this.ageOf(cached) <= maxAgeMs ? cached : this.fetchAtOnce(formId);
  }

  /** A form changed: its copy is dropped, and an answer under way is not kept. */
  drop(formId: string): void {
    this.cache.delete(formId);
    this.asking.delete(formId);
  }

  /** Changes may have been missed: each form is asked about anew, and its copy serves only if config doesn't answer. */
  outdateAll(): void {
    this.missedAt = performance.now();
    this.asking.clear();
  }

  private ageOf(form: FormEndpoints): number {
    return form.fetchedAt > this.missedAt ? performance.now() - form.fetchedAt : Infinity;
  }

  /** Asks without anybody waiting for it. */
  private renew(formId: string): void {
    if (this.isAskedEnough) return;
    this.fetch(formId).catch(() => undefined);
  }

  /** What is under way goes on, and is kept once it is answered. @throws FormUnknown */
  private async fetchAtOnce(formId: string): Promise<FormEndpoints> {
    if (this.isAskedEnough && !this.asking.has(formId)) throw new FormUnknown('config does not answer');
    return this.silence.await(this.fetch(formId));
  }

  private get isAskedEnough(): boolean {
    return this.silence.lasts && this.asking.size >= MAX_ASKED_IN_SILENCE;
  }

  private fetch(formId: string): Promise<FormEndpoints> {
    const asking = this.asking.get(formId);
    if (asking) return asking;
    const lookup: Promise<FormEndpoints> = this.askNow(formId)
      .then((answer) => {
        if (this.asking.get(formId) === lookup) this.cache.set(formId, answer);
        return answer;
      })
      .finally(() => {
        if (this.asking.get(formId) === lookup) this.asking.delete(formId);
      });
    this.asking.set(formId, lookup);
    return lookup;
  }

  private async askNow(formId: string): Promise<FormEndpoints> {
    // Before the call: an answer is at least as old as its question.
    const fetchedAt = performance.now();
    const reply = await this.ask(formId).catch((error: unknown) => {
      this.lookups.unanswered += 1;
      // Config was not asked, so it is not silent: this process has too many questions.
      if (error instanceof RpcBusy) return asUnknown(error);
      this.inVainSince ??= performance.now();
      this.silence.note(true);
      return asUnknown(error);
    });
    const isConfigs = this.answers.accept(formId, reply);
    this.lookups[isConfigs ? 'answered' : 'not_vouched_for'] += 1;
    this.inVainSince = isConfigs ? undefined : (this.inVainSince ?? performance.now());
    if (!isConfigs) throw new FormUnknown('the answer is not from config');
    this.silence.note(false);
    return {
      registered: reply.registered,
      deleted: reply.deleted,
      ...(this.registered.note(formId, reply) ? { missing: true } : {}),
      workspaceId: reply.workspace_id,
      ...(reply.paused ? { paused: true } : {}),
      endpoints: new Map(reply.endpoints.map((endpoint) => [endpoint.id, endpoint])),
      erasedSubmissions: new Set(reply.erased_submissions),
      // A config from before there was a limit lists all that matter.
      erasuresListedSince: reply.erasures_listed_since === null ? Infinity : (reply.erasures_listed_since ?? 0),
      fetchedAt,
    };
  }
}

/** Whether a form's answer tells of this delivery's submission that it was erased, or that it was not. */
const listsErasuresFor = ({ submissionId, generationStartedAt }: DeliveryMessage, form: FormEndpoints): boolean =>
  generationStartedAt >= form.erasuresListedSince || form.erasedSubmissions.has(submissionId);

function asUnknown(error: unknown): never {
  if (error instanceof RpcUnavailable || error instanceof RpcFailed) throw new FormUnknown(error.message);
  throw error;
}
