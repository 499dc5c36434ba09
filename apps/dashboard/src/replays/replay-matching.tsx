import { stateOfReason } from '@form-webhooks/domain/enumerations';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read, type Shapes } from '../api/client.js';
import { useWriteOnce } from '../api/write-once.js';
import { queryOf, type DeliveryFilter } from '../deliveries/delivery-filter.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Loaded } from '../ui/loaded.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import { useStayHere } from '../ui/stay-here.js';

type ReplayFilter = Shapes['ReplayFilterDto'];

const STATES = ['failed', 'cancelled', 'delivered'] as const satisfies readonly ReplayFilter['state'][];

type ReplayedState = (typeof STATES)[number];

/** What the log shows, as far as it can be replayed. A reason of its own is the reason of one state. */
function stateOf({ state, reason }: DeliveryFilter): ReplayedState {
  if (reason !== undefined && state === undefined) return stateOfReason(reason);
  return STATES.find((one) => one === state) ?? STATES[0];
}

interface ReplayMatchingProps {
  readonly formId: string;
  /** What the log shows. */
  readonly filter: DeliveryFilter;
  readonly onClose: () => void;
}

/** Sends everything again that matches: counted first, then as a job with a page of its own. */
export function ReplayMatching({ formId, filter, onClose }: ReplayMatchingProps) {
  const t = useText();
  const [state, setState] = useState(() => stateOf(filter));
  const chosen: ReplayFilter = { ...queryOf(filter), state };
  const preview = useQuery({
    queryKey: ['form', formId, 'replay-preview', chosen],
    queryFn: () =>
      read(
        api.POST('/v1/forms/{form_id}/replays/preview', {
          params: { path: { form_id: formId } },
          body: { filter: chosen },
        }),
      ),
  });
  const start = useStart(formId, chosen);
  useStayHere(start.isPending);
  const matched = preview.data?.matched;
  return (
    // Once it is asked for, the job begins, and its page is gone to: nobody is to think that she has called it off.
    <Dialog title={t('replay.matching')} mustDecide={start.isPending} onClose={onClose}>
      <div className="stack">
        <p>{t('replay.what')}</p>
        <Field label={t('replay.state')}>
          {(control) => (
            <select {...control} value={state} onChange={(event) => setState(event.target.value as ReplayedState)}>
              {(filter.reason === undefined ? STATES : [stateOf(filter)]).map((one) => (
                <option key={one} value={one}>
                  {t(`state.${one}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Loaded query={preview}>{() => null}</Loaded>
        <p className="count" role="status">
          {matched !== undefined && t('replay.count', { count: matched })}
        </p>
        {matched !== 0 && (
          <Notice kind="warning" title={t(state === 'delivered' ? 'replay.twice' : 'replay.maybe-twice')} />
        )}
        {start.isError && <ProblemNotice error={start.error} />}
      </div>
      <footer>
        <Button disabled={start.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          look="main"
          disabled={matched === undefined || matched === 0}
          busy={start.isPending}
          onClick={() => start.mutate()}
        >
          {t('replay.do', { count: matched ?? 0 })}
        </Button>
      </footer>
    </Dialog>
  );
}

function useStart(formId: string, filter: ReplayFilter) {
  const navigate = useNavigate();
  const once = useWriteOnce();
  return useMutation({
    mutationFn: () =>
      once.write((header) => {
        const params = { path: { form_id: formId }, header };
        return read(api.POST('/v1/forms/{form_id}/replays', { params, body: { filter } }));
      }),
    onSuccess: ({ id }) =>
      void navigate({
        to: '/forms/$formId/replays/$replayId',
        params: { formId, replayId: id },
        ignoreBlocker: true,
      }),
  });
}
