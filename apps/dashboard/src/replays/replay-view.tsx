import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, read } from '../api/client.js';
import { replayQuery, replaysQuery, type Replay } from '../api/queries.js';
import { useMay } from '../session/session-context.js';
import { PageTitle } from '../shell/page-title.js';
import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icons.js';
import { Loaded } from '../ui/loaded.js';
import { Moment } from '../ui/moment.js';
import { ProblemNotice } from '../ui/notice.js';
import { Mark } from '../ui/state-mark.js';
import { ReplayLine } from './replay-line.js';

/** How far a replay is, and how to end it. */
export function ReplayView() {
  const t = useText();
  const { formId, replayId } = useParams({ from: '/forms/$formId/replays/$replayId' });
  const replay = useQuery(replayQuery(formId, replayId));
  return (
    <>
      <p className="way-back">
        <Link to="/forms/$formId/deliveries" params={{ formId }}>
          <Icon name="back" /> {t('nav.deliveries')}
        </Link>
      </p>
      <PageTitle title={t('replay.title')} />
      <Loaded query={replay}>{(data) => <Progress replay={data} />}</Loaded>
      <Others formId={formId} replayId={replayId} />
    </>
  );
}

const MARKS = { running: ['busy', 'clock'], done: ['good', 'check'], cancelled: ['calm', 'stop'] } as const;

function Progress({ replay }: { readonly replay: Replay }) {
  const t = useText();
  const language = useLanguage();
  const mayCancel = useMay('deliveries:replay');
  const [tone, icon] = MARKS[replay.state];
  const handled = replay.replayed + replay.skipped;
  return (
    <section className="panel stack" aria-label={t('replay.title')}>
      <p className="row">
        <span role="status">
          <Mark tone={tone} icon={icon}>
            {t(`replay.state.${replay.state}`)}
          </Mark>
        </span>
        <Moment at={replay.created_at} as="full" />
      </p>
      <progress
        aria-label={t('replay.progress')}
        max={Math.max(1, replay.matched)}
        value={replay.matched === 0 ? 1 : handled}
      />
      <dl className="facts">
        {(['matched', 'replayed', 'skipped'] as const).map((count) => (
          <div key={count}>
            <dt>{t(`replay.${count}`)}</dt>
            <dd>{plainNumber(replay[count], language)}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">{t('replay.sent.what')}</p>
      {replay.state === 'running' && mayCancel && <CancelReplay replay={replay} />}
    </section>
  );
}

function CancelReplay({ replay }: { readonly replay: Replay }) {
  const t = useText();
  const queries = useQueryClient();
  const params = { path: { form_id: replay.form_id, replay_id: replay.id } };
  const cancel = useMutation({
    mutationFn: () => read(api.DELETE('/v1/forms/{form_id}/replays/{replay_id}', { params })),
    onSuccess: (data) => queries.setQueryData(replayQuery(replay.form_id, replay.id).queryKey, data),
  });
  return (
    <>
      {cancel.isError && <ProblemNotice error={cancel.error} />}
      <div className="actions">
        <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('replay.cancel')}
        </Button>
        <span className="hint">{t('replay.cancel.what')}</span>
      </div>
    </>
  );
}

/** Those before, to come back to. */
function Others({ formId, replayId }: { readonly formId: string; readonly replayId: string }) {
  const t = useText();
  const replays = (useQuery(replaysQuery(formId)).data ?? []).filter(({ id }) => id !== replayId);
  if (replays.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="others">
      <h2 id="others">{t('replay.list')}</h2>
      <ul className="stack">
        {replays.map((replay) => (
          <li key={replay.id} className="row">
            <ReplayLine replay={replay} />
          </li>
        ))}
      </ul>
    </section>
  );
}
