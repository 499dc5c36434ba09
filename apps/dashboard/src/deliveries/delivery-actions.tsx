import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askAgain } from '../api/ask-again.js';
import { api, read } from '../api/client.js';
import type { Delivery } from '../api/queries.js';
import { useWriteOnce } from '../api/write-once.js';
import { useText, type TextId } from '../text/text.js';
import { announce } from '../ui/announcer.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/dialog.js';
import { ProblemNotice } from '../ui/notice.js';
import { possibleActions, type Action } from './possible-actions.js';

const WORDS: Readonly<Record<Action, { readonly name: TextId; readonly ask: TextId; readonly done: TextId }>> = {
  retry: { name: 'action.retry', ask: 'action.retry.ask', done: 'action.retry.done' },
  cancel: { name: 'action.cancel', ask: 'action.cancel.ask', done: 'action.cancel.done' },
  replay: { name: 'action.replay', ask: 'action.replay.ask', done: 'action.replay.done' },
};

/** What can be done with a delivery as it stands: each is asked about, since a receiver will notice. */
export function DeliveryActions({ delivery }: { readonly delivery: Delivery }) {
  const t = useText();
  const [asked, setAsked] = useState<Action>();
  const actions = possibleActions(delivery);
  if (actions.length === 0 && asked === undefined) return null;
  return (
    <div className="actions">
      {actions.map((action) => (
        <Button key={action} icon={action === 'cancel' ? 'stop' : 'retry'} onClick={() => setAsked(action)}>
          {t(WORDS[action].name)}
        </Button>
      ))}
      {asked && <Ask key={asked} action={asked} delivery={delivery} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface AskProps {
  readonly action: Action;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

function Ask({ action, delivery, onClose }: AskProps) {
  const t = useText();
  const queries = useQueryClient();
  const once = useWriteOnce();
  const act = useMutation({
    mutationFn: () => once.write((header) => call(action, delivery, header)),
    onSuccess: () => {
      onClose();
      announce(t(WORDS[action].done));
      askAgain(queries, delivery.form_id);
    },
  });
  const isLast = action === 'cancel' && delivery.trigger === 'test';
  return (
    <Confirm
      title={t(WORDS[action].name)}
      action={t(WORDS[action].name)}
      danger={action === 'cancel'}
      {...(action === 'cancel' && { dismiss: t('action.cancel.not') })}
      busy={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      <p>{t(isLast ? 'action.cancel.ask.test' : WORDS[action].ask)}</p>
      {act.isError && <ProblemNotice error={act.error} />}
    </Confirm>
  );
}

type KeyHeader = { readonly 'idempotency-key': string };

function call(action: Action, { form_id, delivery_id }: Delivery, header: KeyHeader): Promise<unknown> {
  const params = { path: { form_id, delivery_id }, header };
  if (action === 'retry') return read(api.POST('/v1/forms/{form_id}/deliveries/{delivery_id}/retry', { params }));
  if (action === 'cancel') return read(api.POST('/v1/forms/{form_id}/deliveries/{delivery_id}/cancel', { params }));
  return read(api.POST('/v1/forms/{form_id}/deliveries/{delivery_id}/replay', { params }));
}
