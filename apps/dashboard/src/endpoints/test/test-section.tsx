import type { EventName } from '@form-webhooks/domain/enumerations';
import { EVENT_NAMES } from '@form-webhooks/domain/enumerations';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read, type Shapes } from '../../api/client.js';
import { deliveryQuery, type Endpoint } from '../../api/queries.js';
import { isOpen } from '../../api/watched.js';
import { useWriteOnce } from '../../api/write-once.js';
import { Explanation } from '../../deliveries/explanation.js';
import { AttemptLine } from '../../deliveries/attempt-line.js';
import { filledPage } from '../../deliveries/rows/filled-page.js';
import { useKeptDraft } from '../../drafts/kept-draft.js';
import { showFirstProblem } from '../../drafts/show-problem.js';
import { useMay } from '../../session/session-context.js';
import { useText, type TextId } from '../../text/text.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { Loaded } from '../../ui/loaded.js';
import { Notice, ProblemNotice } from '../../ui/notice.js';
import { StateMark } from '../../ui/state-mark.js';
import { visibleText } from '../../ui/visible-text.js';
import { ownSample, type OwnSample } from './form-sample.js';
import { readSample, SAMPLE_TEXT } from './sample-text.js';

/** Sends a sample to this endpoint and follows it to its end. What is written into it stays for the next. */
export function TestSection({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useText();
  const [event, setEvent] = useState<EventName>(endpoint.events[0] ?? EVENT_NAMES[0]);
  const [written = SAMPLE_TEXT, setWritten] = useKeptDraft<string>(`test ${endpoint.id}`);
  const sample = readSample(written);
  const test = useTest(endpoint);
  return (
    <section className="panel" aria-labelledby="test">
      <h2 id="test">{t('test.title')}</h2>
      <p>{t('test.what')}</p>
      <form
        className="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if ('problem' in sample) showFirstProblem(submitted.currentTarget);
          else if (!test.isPending) test.mutate({ event, fields: sample.fields });
        }}
      >
        <div className="inline-form">
          <Field label={t('test.event')}>
            {(control) => (
              <select {...control} value={event} onChange={(changed) => setEvent(changed.target.value as EventName)}>
                {EVENT_NAMES.map((one) => (
                  <option key={one} value={one}>
                    {t(`event.${one}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Button look="main" icon="send" type="submit" busy={test.isPending}>
            {t('test.do')}
          </Button>
        </div>
        <SampleFields
          formId={endpoint.form_id}
          written={written}
          problem={'problem' in sample ? sample.problem : undefined}
          onChange={setWritten}
        />
      </form>
      {test.isError && <ProblemNotice error={test.error} />}
      {test.data?.warnings.map(({ code }) => (
        <Notice key={code} kind="warning" title={t(`test.warning.${code}`)} />
      ))}
      {test.data && <TestRun formId={endpoint.form_id} deliveryId={test.data.delivery_id} />}
    </section>
  );
}

interface SampleFieldsProps {
  readonly formId: string;
  readonly written: string;
  readonly problem: TextId | undefined;
  /** Undefined for the sample again. */
  readonly onChange: (written: string | undefined) => void;
}

/** What the test carries as the form's fields, to be written over with this form's own. */
function SampleFields({ formId, written, problem, onChange }: SampleFieldsProps) {
  const t = useText();
  return (
    <details className="snippets">
      <summary>{t('test.fields.summary')}</summary>
      <Field
        label={t('test.fields')}
        hint={t('test.fields.hint')}
        error={problem === undefined ? undefined : t(problem)}
      >
        {(control) => (
          <textarea
            {...control}
            rows={8}
            spellCheck={false}
            value={written}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="actions">
        <OwnFields formId={formId} onFound={(fields) => onChange(JSON.stringify(fields, null, 2))} />
        {written !== SAMPLE_TEXT && <Button onClick={() => onChange(undefined)}>{t('test.fields.reset')}</Button>}
      </div>
    </details>
  );
}

interface OwnFieldsProps {
  readonly formId: string;
  readonly onFound: (fields: Readonly<Record<string, unknown>>) => void;
}

/** Writes this form's own fields into the test: their names as in the newest submission, with made-up values. */
function OwnFields({ formId, onFound }: OwnFieldsProps) {
  const t = useText();
  const mayRead = useMay('payload:read');
  const look = useMutation({
    mutationFn: () => newestSample(formId),
    onSuccess: (found) => 'fields' in found && onFound(found.fields),
  });
  if (!mayRead) return null;
  return (
    <>
      <Button busy={look.isPending} onClick={() => look.mutate()}>
        {t('test.fields.own')}
      </Button>
      <span className="hint" role="status">
        {look.isSuccess && t('none' in look.data ? `test.fields.own.${look.data.none}` : 'test.fields.own.done')}
      </span>
      {look.isError && <ProblemNotice asking="read" error={look.error} />}
    </>
  );
}

async function newestSample(form_id: string): Promise<OwnSample> {
  const path = { form_id };
  // What was sent again was submitted too; a test was not.
  const query = { limit: 1, trigger: ['event' as const, 'replay' as const] };
  const page = await filledPage(
    (cursor) =>
      read(
        api.GET('/v1/forms/{form_id}/deliveries', {
          params: { path, query: { ...query, ...(cursor !== undefined && { cursor }) } },
        }),
      ),
    undefined,
  );
  const [newest] = page.items;
  if (newest === undefined) return ownSample(undefined);
  const { payload } = await read(
    api.GET('/v1/forms/{form_id}/deliveries/{delivery_id}', {
      params: { path: { form_id, delivery_id: newest.delivery_id } },
    }),
  );
  return ownSample(payload);
}

function useTest({ form_id, id: endpoint_id }: Endpoint) {
  const once = useWriteOnce();
  return useMutation({
    mutationFn: (body: Shapes['TestSendDto']) =>
      once.write((header) => {
        const params = { path: { form_id, endpoint_id }, header };
        return read(api.POST('/v1/forms/{form_id}/endpoints/{endpoint_id}/test', { params, body }));
      }),
  });
}

/** Each step of a test as it happens. */
function TestRun({ formId, deliveryId }: { readonly formId: string; readonly deliveryId: string }) {
  const t = useText();
  const delivery = useQuery(deliveryQuery(formId, deliveryId));
  return (
    <div className="test-run" aria-live="polite">
      <Loaded query={delivery}>
        {(data) => (
          <>
            <p className="row">
              <StateMark state={data.state} attempts={data.attempt_count} />
              {isOpen(data.state) && <span className="spinner" aria-hidden="true" />}
              <Link to="/forms/$formId/deliveries/$deliveryId" params={{ formId, deliveryId }}>
                {t('test.open')}
              </Link>
            </p>
            {/* Above the answer, which its words call the one below. */}
            {!isOpen(data.state) && <Explanation delivery={data} />}
            <ol className="attempt-lines">
              <li>{t('test.queued')}</li>
              {data.attempts.map((attempt) => (
                <li key={attempt.id}>
                  <AttemptLine attempt={attempt} />
                  {attempt.response?.excerpt && (
                    <pre
                      dir="ltr"
                      tabIndex={0}
                      role="region"
                      aria-label={t('attempt.response.name', { n: attempt.number })}
                    >
                      {visibleText(attempt.response.excerpt)}
                    </pre>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </div>
  );
}
