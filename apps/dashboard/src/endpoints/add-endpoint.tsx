import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import { useWriteOnce } from '../api/write-once.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { useStayHere } from '../ui/stay-here.js';
import { EventChoice } from './event-choice.js';
import { SecretShown } from './secret/secret-shown.js';
import { UrlTrouble } from './url-trouble.js';

interface AddEndpointProps {
  readonly formId: string;
  readonly onClose: () => void;
}

/** Adds an endpoint: the URL is checked while its owner watches, then the secret is shown, this once. */
export function AddEndpoint({ formId, onClose }: AddEndpointProps) {
  const t = useText();
  const navigate = useNavigate();
  const adding = useAdding(formId);
  useStayHere(adding.isPending || adding.data !== undefined);
  if (adding.data) {
    const { id, secret } = adding.data;
    const done = (): void => {
      onClose();
      void navigate({
        to: '/forms/$formId/endpoints/$endpointId',
        params: { formId, endpointId: id },
        ignoreBlocker: true,
      });
    };
    return (
      <Dialog key="secret" title={t('secret.title')} mustDecide onClose={done}>
        <SecretShown secret={secret ?? ''} lead={t('secret.new')} onStored={done} />
      </Dialog>
    );
  }
  return (
    // Once it is asked for, the endpoint comes to be, and its secret is shown here or nowhere.
    <Dialog key="form" title={t('endpoints.add')} mustDecide={adding.isPending} onClose={onClose}>
      <AddForm formId={formId} adding={adding} onClose={onClose} />
    </Dialog>
  );
}

interface NewEndpoint {
  readonly url: string;
  readonly description: string | null;
  readonly events: EventName[];
}

function useAdding(formId: string) {
  const queries = useQueryClient();
  // An answer that got lost adds no second endpoint.
  const once = useWriteOnce();
  return useMutation({
    mutationFn: (body: NewEndpoint) =>
      once.write((header) => {
        const params = { path: { form_id: formId }, header };
        return read(api.POST('/v1/forms/{form_id}/endpoints', { params, body }));
      }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['form', formId, 'endpoints'] }),
  });
}

interface AddFormProps extends AddEndpointProps {
  readonly adding: ReturnType<typeof useAdding>;
}

function AddForm({ formId, adding, onClose }: AddFormProps) {
  const t = useText();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<EventName[]>([...EVENT_NAMES]);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (adding.isPending || events.length === 0) return;
        adding.mutate({ url: url.trim(), description: description.trim() || null, events });
      }}
    >
      <Field label={t('endpoint.url')} hint={t('endpoint.url.hint')}>
        {(control) => (
          <input
            {...control}
            type="url"
            required
            data-first
            spellCheck={false}
            placeholder="https://hooks.example.com/forms"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('endpoint.description')} hint={t('endpoint.description.hint')}>
        {(control) => (
          <input
            {...control}
            maxLength={500}
            dir="auto"
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <EventChoice chosen={events} onChange={setEvents} />
      <p className={adding.isPending ? 'progress' : undefined} role="status">
        {adding.isPending && (
          <>
            <span className="spinner" aria-hidden="true" /> {t('endpoints.checking')}
          </>
        )}
      </p>
      {adding.isError && <UrlTrouble formId={formId} error={adding.error} />}
      <footer>
        <Button disabled={adding.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button look="main" type="submit" busy={adding.isPending}>
          {t('endpoints.add.do')}
        </Button>
      </footer>
    </form>
  );
}
