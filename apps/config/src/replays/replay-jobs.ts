import { Injectable } from '@nestjs/common';
import { randomId } from '@form-webhooks/domain';
import type { CreateReplayDto, PageQueryDto, ReplayDto, ReplayFilterDto } from '@form-webhooks/http-api';
import { tooManyRequests, type Problem } from '@form-webhooks/http-edge';
import {
  countReplayable,
  countRunningReplays,
  DataSource,
  endReplay,
  findReplay,
  insertReplay,
  limitStatements,
  listReplays,
  LOCKS,
  lockSubjectIfFree,
  retainedDays,
  type Actor,
  type Form,
  type ReplayJob,
  type ReplaySelection,
  type Transaction,
} from '@form-webhooks/storage';
import { Changes } from '../changes/changes.js';
import { pageLimit, readRowCursor, rowCursor, toPage, type Page } from '../http/page.js';
import { invalid, notFound } from '../http/problems.js';
import { WorkspaceTurns } from '../in-flight/workspace-turns.js';
import { ConfigSettings } from '../settings.js';
import { filterOf } from '../deliveries/log-filter.js';

/** Jobs that run at a time in a workspace; one form has one. */
const MAX_RUNNING = 5;
const RETRY_AFTER_MS = 30_000;
/** A filter can make the database read much to find little; someone who waits for the answer does so no longer. */
const PREVIEW_TIMEOUT_MS = 5_000;
/** A job also writes its list; meanwhile no other of the workspace can begin. */
const CHOICE_TIMEOUT_MS = 15_000;

/** Replays many deliveries: chosen at once, sent in the background by `ReplayRunner`. */
@Injectable()
export class ReplayJobs {
  private readonly turns = new WorkspaceTurns(1, tooManyChoices);

  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly settings: ConfigSettings,
  ) {}

  /** How many deliveries such a job would replay; one count of a workspace at a time. @throws Problem 422, 429 */
  async preview(form: Form, asked: CreateReplayDto): Promise<number> {
    const chosen = chosenBy(asked);
    const matched = await this.dataSource.transaction(async (tx) => {
      const free = await lockSubjectIfFree(tx, LOCKS.replayPreviews, form.workspaceId);
      if (!free)
        throw tooManyRequests(
          PREVIEW_TIMEOUT_MS,
          'A preview of this workspace is being counted already.',
          'too_many_at_a_time',
        );
      const now = await limitStatements(tx, PREVIEW_TIMEOUT_MS);
      return countReplayable(tx, this.selection(form, chosen, now));
    });
    return this.bounded(matched);
  }

  /** @throws Problem 422, 429 */
  create(by: Actor, form: Form, asked: CreateReplayDto): Promise<ReplayDto> {
    const chosen = chosenBy(asked);
    // Who waits for another choice of the workspace holds no connection to the database meanwhile.
    return this.turns.run(form.workspaceId, () => this.choose(by, form, chosen));
  }

  private choose(by: Actor, form: Form, { filter, ids }: Chosen): Promise<ReplayDto> {
    return this.changes.commit(by, async (change) => {
      // One after another in the workspace, over all replicas, so that calls at the same time can't all find room.
      const free = await lockSubjectIfFree(change.tx, LOCKS.workspaceReplays, form.workspaceId);
      if (!free) throw tooManyChoices();
      await refuseTooMany(change.tx, form);
      await limitStatements(change.tx, CHOICE_TIMEOUT_MS);
      const id = randomId('rpl');
      const job = { id, workspaceId: form.workspaceId, formId: form.id, filter: filter ?? {}, createdAt: change.at };
      const selection = this.selection(form, { filter, ids }, change.at);
      const matched = this.bounded(await insertReplay(change.tx, job, selection));
      change.audit({
        workspaceId: form.workspaceId,
        formId: form.id,
        action: 'replay.started',
        target: { type: 'replay', id },
        changes: [
          filter ? { field: 'filter', new: filter } : { field: 'delivery_ids', new: ids?.length ?? 0 },
          { field: 'matched', new: matched },
        ],
      });
      return showReplay({ ...job, state: 'running', matched, replayed: 0, skipped: 0, finishedAt: null });
    });
  }

  /** The jobs of a form, newest first. @throws Problem 422 */
  async list(form: Form, query: PageQueryDto): Promise<Page<ReplayDto>> {
    const limit = pageLimit(query, this.settings.api.maxPageSize);
    const rows = await listReplays(this.dataSource.manager, form.id, limit + 1, readRowCursor(query.cursor));
    return toPage(rows, limit, showReplay, rowCursor);
  }

  /** @throws Problem 404 */
  async find(form: Form, id: string): Promise<ReplayDto> {
    const job = await findReplay(this.dataSource.manager, form.id, id);
    if (!job) throw notFound('replay');
    return showReplay(job);
  }

  /** Ends a job; what it has sent already is not taken back. Harmless on one that has ended. @throws Problem 404 */
  cancel(by: Actor, form: Form, id: string): Promise<ReplayDto> {
    return this.changes.commit(by, async (change) => {
      if (!(await findReplay(change.tx, form.id, id))) throw notFound('replay');
      if (await endReplay(change.tx, id, 'cancelled', change.at)) {
        change.audit({
          workspaceId: form.workspaceId,
          formId: form.id,
          action: 'replay.cancelled',
          target: { type: 'replay', id },
        });
      }
      return showReplay((await findReplay(change.tx, form.id, id))!);
    });
  }

  /** @param now by the database's clock */
  private selection(form: Form, { filter, ids }: Chosen, now: Date): ReplaySelection {
    const retained = retainedDays(now.getTime(), this.settings.retention.days);
    const wanted = { ...(filter && filterOf(filter)), ...(ids && { deliveryIds: ids }) };
    return { formId: form.id, filter: wanted, retained, limit: this.settings.replays.maxDeliveries };
  }

  private bounded(matched: number): number {
    const { maxDeliveries: max } = this.settings.replays;
    if (matched <= max) return matched;
    const message = `The filter matches more than ${max} deliveries; narrow it, for example by from and to.`;
    throw invalid({ field: 'filter', code: 'too_many', message });
  }
}

/** What a job is to replay: what matches, or what is named. */
interface Chosen {
  readonly filter: ReplayFilterDto | undefined;
  readonly ids: readonly string[] | undefined;
}

/** @throws Problem 422 unless it is one of the two */
function chosenBy({ filter, delivery_ids: ids }: CreateReplayDto): Chosen {
  if ((filter === undefined) !== (ids === undefined)) return { filter, ids };
  const [code, message] =
    filter === undefined
      ? ['required', 'Say what to replay: by filter, or by delivery_ids.']
      : ['not_allowed', 'Give either filter or delivery_ids, not both.'];
  throw invalid({ field: filter === undefined ? 'filter' : 'delivery_ids', code, message });
}

/** Every filter names a state. */
const isFilter = (stored: unknown): stored is ReplayFilterDto =>
  (stored as Partial<ReplayFilterDto>).state !== undefined;

const tooManyChoices = (): Problem =>
  tooManyRequests(RETRY_AFTER_MS, 'Other replays of this workspace are being chosen already.', 'too_many_at_a_time');

async function refuseTooMany(tx: Transaction, form: Form): Promise<void> {
  const running = await countRunningReplays(tx, form.workspaceId, form.id);
  if (running.ofForm > 0)
    throw tooManyRequests(RETRY_AFTER_MS, 'A replay of this form is running already.', 'too_many_at_a_time');
  if (running.ofWorkspace >= MAX_RUNNING) {
    throw tooManyRequests(
      RETRY_AFTER_MS,
      `${MAX_RUNNING} replays of this workspace are running already.`,
      'too_many_at_a_time',
    );
  }
}

const showReplay = (job: ReplayJob): ReplayDto => ({
  id: job.id,
  form_id: job.formId,
  filter: isFilter(job.filter) ? job.filter : null,
  state: job.state,
  matched: job.matched,
  replayed: job.replayed,
  skipped: job.skipped,
  created_at: job.createdAt.toISOString(),
  finished_at: job.finishedAt?.toISOString() ?? null,
});
