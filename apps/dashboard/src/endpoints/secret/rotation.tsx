import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askAgain } from '../../api/ask-again.js';
import { api, read } from '../../api/client.js';
import { useWriteOnce, type WriteOnce } from '../../api/write-once.js';
import { secretsQuery, type Endpoint, type Secrets } from '../../api/queries.js';
import { useText, type TextId } from '../../text/text.js';
import { announce } from '../../ui/announcer.js';
import { Button } from '../../ui/button.js';
import { Confirm, Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { Loaded } from '../../ui/loaded.js';
import { Notice, ProblemNotice } from '../../ui/notice.js';
import { useStayHere } from '../../ui/stay-here.js';
import { OVERLAPS } from './overlaps.js';
import { SecretList } from './secret-list.js';
import { SecretShown, SignatureCheck, Snippets } from './secret-shown.js';

interface RotationProps {
  readonly endpoint: Endpoint;
  readonly mayRotate: boolean;
}

/** The signing secret: which one signs, and how to change it without a delivery that fails. */
export function Rotation({ endpoint, mayRotate }: RotationProps) {
  const t = useText();
  const secrets = useQuery(secretsQuery(endpoint.form_id, endpoint.id));
  return (
    <section className="panel" aria-labelledby="secret">
      <h2 id="secret">{t('rotation.title')}</h2>
      <Loaded query={secrets}>
        {(data) => <SecretList endpoint={endpoint} secrets={data} mayRotate={mayRotate} />}
      </Loaded>
      <Snippets />
      <SignatureCheck />
      {mayRotate && <RotationSteps endpoint={endpoint} secrets={secrets.data} />}
    </section>
  );
}

function RotationSteps({ endpoint, secrets }: Omit<StepProps, 'onSecret'>) {
  const t = useText();
  const [shown, setShown] = useState<{ readonly secret: string; readonly lead: TextId }>();
  useStayHere(shown !== undefined);
  return (
    <>
      <h3>{t('rotation.steps')}</h3>
      <ol className="steps">
        <li>
          <p>{t('rotation.prepare.what')}</p>
          <Prepare
            endpoint={endpoint}
            secrets={secrets}
            onSecret={(secret) => setShown({ secret, lead: 'rotation.prepared' })}
          />
        </li>
        <li>
          <p>{t('rotation.receiver.what')}</p>
        </li>
        <li>
          <p>{t('rotation.switch.what')}</p>
          <Regenerate
            endpoint={endpoint}
            secrets={secrets}
            onSecret={(secret) => setShown({ secret, lead: 'rotation.regenerated' })}
          />
        </li>
      </ol>
      {shown && (
        <Dialog title={t('secret.title')} mustDecide onClose={() => setShown(undefined)}>
          <SecretShown secret={shown.secret} lead={t(shown.lead)} onStored={() => setShown(undefined)} />
        </Dialog>
      )}
    </>
  );
}

interface StepProps {
  readonly endpoint: Endpoint;
  /** Undefined while they are not known. */
  readonly secrets: Secrets | undefined;
  readonly onSecret: (secret: string) => void;
}

function Prepare({ endpoint, secrets, onSecret }: StepProps) {
  const t = useText();
  const queries = useQueryClient();
  const path = { form_id: endpoint.form_id, endpoint_id: endpoint.id };
  const [isAsking, setAsking] = useState(false);
  const once = useWriteOnce();
  const prepare = useMutation({
    mutationFn: () =>
      once.write((header) => {
        const params = { path, header };
        return read(api.POST('/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/prepare', { params }));
      }),
    onSuccess: ({ secret }) => {
      setAsking(false);
      onSecret(secret ?? '');
      askAgain(queries, endpoint.form_id);
    },
  });
  useStayHere(prepare.isPending);
  return (
    <>
      <Button
        onClick={() => {
          once.beginAnew();
          prepare.reset();
          setAsking(true);
        }}
      >
        {t('rotation.prepare')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('rotation.prepare')}
          action={t('rotation.prepare.do')}
          busy={prepare.isPending}
          onConfirm={() => prepare.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('rotation.prepare.ask')}</p>
          {secrets?.prepare_ends.map(({ hint }) => (
            <Notice key={hint} kind="warning" title={t('rotation.prepare.ends', { hint })} />
          ))}
          {prepare.isError && <ProblemNotice error={prepare.error} />}
        </Confirm>
      )}
    </>
  );
}

function Regenerate({ endpoint, secrets, onSecret }: StepProps) {
  const t = useText();
  const [isAsking, setAsking] = useState(false);
  const [overlap, setOverlap] = useState(OVERLAPS[0]![0]);
  const once = useWriteOnce();
  const regenerate = useRegeneration(endpoint, once, (secret) => {
    setAsking(false);
    if (secret === null) announce(t('rotation.done'));
    else onSecret(secret);
  });
  useStayHere(regenerate.isPending);
  return (
    <>
      <Button
        look="main"
        onClick={() => {
          once.beginAnew();
          regenerate.reset();
          setAsking(true);
        }}
      >
        {t('rotation.switch')}
      </Button>
      {regenerate.isSuccess && <Notice kind="good" isNews title={t('rotation.done')} />}
      {isAsking && (
        <Confirm
          title={t('rotation.switch')}
          action={t('rotation.switch.do')}
          busy={regenerate.isPending}
          onConfirm={() => regenerate.mutate(overlap)}
          onClose={() => setAsking(false)}
        >
          <Field label={t('rotation.overlap')} hint={t('rotation.overlap.hint')}>
            {(control) => (
              <select {...control} value={overlap} onChange={(event) => setOverlap(Number(event.target.value))}>
                {OVERLAPS.map(([seconds, id]) => (
                  <option key={seconds} value={seconds}>
                    {t(id)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {overlap === 0 &&
            secrets?.regenerate_ends.map(({ hint }) => (
              <Notice key={hint} kind="warning" title={t('rotation.ends', { hint })}>
                <p>{t('rotation.overlap.none.what')}</p>
              </Notice>
            ))}
          {regenerate.isError && <ProblemNotice error={regenerate.error} />}
        </Confirm>
      )}
    </>
  );
}

function useRegeneration(endpoint: Endpoint, once: WriteOnce, onDone: (secret: string | null) => void) {
  const queries = useQueryClient();
  const path = { form_id: endpoint.form_id, endpoint_id: endpoint.id };
  return useMutation({
    mutationFn: (seconds: number) =>
      once.write((header) => {
        const [params, body] = [{ path, header }, { overlap_seconds: seconds }];
        return read(api.POST('/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/regenerate', { params, body }));
      }),
    onSuccess: ({ secret }) => {
      onDone(secret);
      askAgain(queries, endpoint.form_id);
    },
  });
}
