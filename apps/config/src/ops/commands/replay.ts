import { setTimeout as delay } from 'node:timers/promises';
import type { ReplayDto, ReplayPreviewDto } from '@form-webhooks/http-api';
import { ApiClient } from '../api-client.js';
import { EXIT, textOption, wrongCall, type ExitCode, type OpsCall, type OpsCommand } from '../ops-command.js';

const LOOK_EACH_MS = 1_000;

/** Options, and the members of the filter that they are. */
const FILTER = {
  state: ['state', 'failed, cancelled or delivered; required'],
  endpoint: ['endpoint_id', 'only those of this endpoint'],
  event: ['event', 'only those of this event, such as submission.created'],
  submission: ['submission_id', 'only those of this submission'],
  error: ['error', 'only those whose latest attempt had this error code'],
  status: ['response_status', 'only those whose latest attempt was answered with this status'],
  from: ['from', 'accepted at or after this moment, such as 2026-11-29T07:30:00Z'],
  to: ['to', 'accepted before this moment'],
} as const;

/** Sends again what matches. */
export const REPLAY: OpsCommand = {
  name: 'replay',
  takes: ['form_id'],
  summary: 'sends final deliveries of a form again that match; says how many there are, and does it with --yes',
  options: {
    ...Object.fromEntries(
      Object.entries(FILTER).map(([name, [, meaning]]) => [name, { type: 'string' as const, meaning }]),
    ),
    yes: { type: 'boolean', meaning: 'do it; without it they are only counted' },
  },
  notes: ['Ctrl-C ends the looking on, not the replay: DELETE /v1/forms/{form_id}/replays/{replay_id} does.'],
  afterInterrupt: 'a replay that it began goes on; DELETE /v1/forms/{form_id}/replays/{replay_id} ends it',
  async run(call) {
    const filter = filterOf(call);
    const api = new ApiClient(call.installation);
    const at = `/v1/forms/${encodeURIComponent(call.args[0]!)}/replays`;
    const { matched } = await api.call<ReplayPreviewDto>('POST', `${at}/preview`, { filter });
    if (call.values['yes'] !== true) {
      call.output.result({ matched }, [`${matched} match; --yes sends them again`]);
      return matched === 0 ? EXIT.found : EXIT.fine;
    }
    const replay = await api.call<ReplayDto>('POST', at, { filter });
    return watch(call, api, `${at}/${replay.id}`, replay);
  },
};

function filterOf(call: OpsCall): Record<string, string | number> {
  const filter: Record<string, string | number> = {};
  for (const [name, [member]] of Object.entries(FILTER)) {
    const text = textOption(call, name);
    if (text !== undefined) filter[member] = member === 'response_status' ? Number(text) : text;
  }
  if (filter['state'] === undefined)
    throw wrongCall('--state is missing', 'name the state: failed, cancelled, delivered');
  return filter;
}

async function watch({ output, signal }: OpsCall, api: ApiClient, path: string, made: ReplayDto): Promise<ExitCode> {
  let replay = made;
  while (replay.finished_at === null) {
    output.progress(lineOf(replay));
    await delay(LOOK_EACH_MS, undefined, { signal });
    replay = await api.call<ReplayDto>('GET', path);
  }
  output.result(replay, [lineOf(replay)]);
  return replay.state === 'cancelled' || replay.matched === 0 ? EXIT.found : EXIT.fine;
}

const lineOf = ({ id, state, matched, replayed, skipped }: ReplayDto): string =>
  `${id} ${state}: ${replayed + skipped} of ${matched}, ${replayed} sent again, ${skipped} skipped`;
