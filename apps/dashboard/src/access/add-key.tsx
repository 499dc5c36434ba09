import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import { useWriteOnce } from '../api/write-once.js';
import { showFirstProblem } from '../drafts/show-problem.js';
import { useSession } from '../session/session-context.js';
import type { Scope } from '../session/session.js';
import { momentOfField } from '../text/moments.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { Check, Field } from '../ui/field.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import { useStayHere } from '../ui/stay-here.js';
import { KEYS_QUERY } from './api-keys.js';

interface NewKey {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires_at: string | null;
}

function useAdding() {
  const queries = useQueryClient();
  const once = useWriteOnce();
  return useMutation({
    mutationFn: (body: NewKey) => once.write((header) => read(api.POST('/v1/api-keys', { params: { header }, body }))),
    onSuccess: () => void queries.invalidateQueries({ queryKey: KEYS_QUERY }),
  });
}

/** Makes a key with rights that its maker has, and shows it this once. */
export function AddKey({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const adding = useAdding();
  const [isStored, setStored] = useState(false);
  useStayHere(adding.isPending || adding.data !== undefined);
  if (adding.data === undefined) {
    return (
      <Dialog key="form" title={t('keys.add')} mustDecide={adding.isPending} onClose={onClose}>
        <KeyForm adding={adding} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog key="key" title={t('keys.made')} mustDecide onClose={onClose}>
      <div className="stack">
        <div className="secret">
          <code>{adding.data.key}</code>
          <CopyButton look="main" text={adding.data.key} label={t('keys.copy')} />
        </div>
        <Notice kind="warning" title={t('keys.once')} />
      </div>
      <footer>
        <Check label={t('keys.stored')} checked={isStored} onChange={setStored} />
        <Button look="main" disabled={!isStored} onClick={onClose}>
          {t('common.done')}
        </Button>
      </footer>
    </Dialog>
  );
}

interface KeyFormProps {
  readonly adding: ReturnType<typeof useAdding>;
  readonly onClose: () => void;
}

function KeyForm({ adding, onClose }: KeyFormProps) {
  const t = useText();
  // No key that is made here can make keys or open the dashboard: a session can't give that away.
  const own = useSession().scopes.filter((scope) => scope !== 'keys:write');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['endpoints:read', 'deliveries:read']);
  const [expires, setExpires] = useState('');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (scopes.length === 0) showFirstProblem(event.currentTarget);
        else if (!adding.isPending)
          adding.mutate({ name: name.trim(), scopes: [...scopes], expires_at: momentOfField(expires) ?? null });
      }}
    >
      <Field label={t('keys.name')} hint={t('keys.name.hint')}>
        {(control) => (
          <input
            {...control}
            required
            data-first
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <fieldset data-wrong={scopes.length === 0 || undefined}>
        <legend>{t('keys.scopes')}</legend>
        {own.map((scope) => (
          <Check
            key={scope}
            label={
              <>
                {t(`scope.${scope}`)} <code>{scope}</code>
              </>
            }
            checked={scopes.includes(scope)}
            onChange={(checked) => setScopes(own.filter((one) => (one === scope ? checked : scopes.includes(one))))}
          />
        ))}
        {scopes.length === 0 && (
          <p className="error" role="alert">
            {t('keys.scopes.none')}
          </p>
        )}
      </fieldset>
      <Field label={t('keys.expires')} hint={t('keys.expires.hint')}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            value={expires}
            onChange={(event) => setExpires(event.target.value)}
          />
        )}
      </Field>
      {adding.isError && <ProblemNotice error={adding.error} />}
      <footer>
        <Button disabled={adding.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button look="main" type="submit" busy={adding.isPending}>
          {t('keys.add.do')}
        </Button>
      </footer>
    </form>
  );
}
