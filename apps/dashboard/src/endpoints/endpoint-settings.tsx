import { useRef } from 'react';
import { isStatus } from '../api/problem.js';
import type { Endpoint } from '../api/queries.js';
import { useText } from '../text/text.js';
import { announce } from '../ui/announcer.js';
import { Button } from '../ui/button.js';
import { showFirstProblem } from '../drafts/show-problem.js';
import { keptDraft, useKeptDraft } from '../drafts/kept-draft.js';
import { useChangeEndpoint } from './change-endpoint.js';
import {
  afterOther,
  broughtOver,
  changedFields,
  changesOf,
  draftOf,
  problemsOf,
  type EndpointDraft,
} from './endpoint-draft.js';
import { SettingsFields } from './settings-fields.js';
import { SettingsConflict } from './settings-conflict.js';
import { UrlTrouble } from './url-trouble.js';

interface EndpointSettingsProps {
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
}

/** The settings as a form. What is typed stays, whatever comes from the service meanwhile. */
export function EndpointSettings({ endpoint, mayChange }: EndpointSettingsProps) {
  const t = useText();
  const editing = useEditing(endpoint);
  const { draft, base, change } = editing;
  const problems = problemsOf(draft);
  const isChanged = changedFields(draft, draftOf(base)).length > 0;
  const isConflict = isStatus(change.error, 412);
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{t('settings.title')}</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (Object.keys(problems).length > 0) showFirstProblem(event.currentTarget);
          else if (isChanged && !change.isPending) editing.save(base.version);
        }}
      >
        <SettingsFields draft={draft} problems={problems} disabled={!mayChange} onChange={editing.edit} />
        {change.isError && !isConflict && <UrlTrouble formId={endpoint.form_id} error={change.error} />}
        {isConflict && (
          <SettingsConflict
            draft={draft}
            base={base}
            theirs={endpoint}
            onKeepMine={() => editing.save(endpoint.version)}
            onTakeTheirs={editing.startAnew}
          />
        )}
        {mayChange && (
          <footer>
            <Button idle={!isChanged} onClick={editing.startAnew}>
              {t('settings.discard')}
            </Button>
            <Button look="main" type="submit" idle={!isChanged} busy={change.isPending}>
              {t('settings.save')}
            </Button>
          </footer>
        )}
      </form>
    </section>
  );
}

interface Begun {
  /** The endpoint as it was when the draft was begun. */
  readonly base: Endpoint;
  readonly draft: EndpointDraft;
}

/** A draft, and what can be done with it. */
function useEditing(endpoint: Endpoint) {
  const t = useText();
  const name = `settings ${endpoint.id}`;
  const [begun, setBegun] = useKeptDraft<Begun>(name);
  const sent = useRef<Begun>(undefined);
  const change = useChangeEndpoint(endpoint, (saved) => {
    const now = keptDraft(name) as Begun | undefined;
    const asked = sent.current;
    // What was typed on while it was being saved is not saved yet.
    const isTypedOn = now !== undefined && asked !== undefined && now !== asked;
    setBegun(isTypedOn ? { base: saved, draft: broughtOver(now.draft, asked.draft, draftOf(saved)) } : undefined);
    announce(t('settings.saved'));
  });
  const base = begun?.base ?? endpoint;
  const draft = begun?.draft ?? draftOf(endpoint);
  const startAnew = (): void => {
    change.reset();
    setBegun(undefined);
  };
  /** Asks for what was changed here alone: of what others changed since, all that was not touched here stays. */
  const save = (version: number): void => {
    sent.current = begun;
    const begunWith = draftOf(base);
    change.mutate({
      changes: changesOf(draft, begunWith),
      version,
      afterOther: (now) => afterOther(draft, begunWith, draftOf(now)),
    });
  };
  return {
    base,
    draft,
    change,
    save,
    startAnew,
    edit: (changed: Partial<EndpointDraft>) => setBegun({ base, draft: { ...draft, ...changed } }),
  };
}
