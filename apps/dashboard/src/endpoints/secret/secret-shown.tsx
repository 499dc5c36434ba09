import { useState } from 'react';
import { useText } from '../../text/text.js';
import { Button } from '../../ui/button.js';
import { canHash } from '../../shell/can-hash.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Check, Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { hintOf, secretsIn, signingSecret } from './check-signature.js';
import { SNIPPETS } from './verify-snippets.js';

interface SecretShownProps {
  readonly secret: string;
  readonly lead: string;
  readonly onStored: () => void;
}

/** A secret that is shown this once: copied, with the code that verifies by it, and confirmed before it is gone. */
export function SecretShown({ secret, lead, onStored }: SecretShownProps) {
  const t = useText();
  const [isStored, setStored] = useState(false);
  return (
    <div className="stack">
      <p>{lead}</p>
      <div className="secret">
        <code>{secret}</code>
        <CopyButton look="main" text={secret} label={t('secret.copy')} />
      </div>
      <Notice kind="warning" title={t('secret.once')} />
      <Snippets />
      <SignatureCheck secret={secret} />
      <footer>
        <Check label={t('secret.stored')} checked={isStored} onChange={setStored} />
        <Button look="main" disabled={!isStored} onClick={onStored}>
          {t('common.done')}
        </Button>
      </footer>
    </div>
  );
}

export function Snippets() {
  const t = useText();
  const [chosen, setChosen] = useState(SNIPPETS[0]!);
  return (
    <details className="snippets">
      <summary>{t('secret.verify')}</summary>
      <div className="actions">
        <div role="group" aria-label={t('secret.language')} className="segments">
          {SNIPPETS.map((one) => (
            <Button key={one.name} aria-pressed={one === chosen} onClick={() => setChosen(one)}>
              {one.name}
            </Button>
          ))}
        </div>
        <CopyButton text={chosen.code} label={t('secret.verify.copy')} />
      </div>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={chosen.name}>
        {chosen.code}
      </pre>
    </details>
  );
}

interface SignatureCheckProps {
  /** The one that is shown; else it is asked for. */
  readonly secret?: string;
}

/** Which secret a request was signed with, found out in the browser: nothing that is pasted goes anywhere. */
export function SignatureCheck(props: SignatureCheckProps) {
  const t = useText();
  return (
    <details className="snippets">
      <summary>{t('check.title')}</summary>
      {canHash ? <CheckForm {...props} /> : <Notice kind="info" title={t('check.insecure')} />}
    </details>
  );
}

function CheckForm({ secret: known }: SignatureCheckProps) {
  const t = useText();
  const [secret, setSecret] = useState(known ?? '');
  const [body, setBody] = useState('');
  const [signature, setSignature] = useState('');
  // Empty: none of them.
  const [signedWith, setSignedWith] = useState<string>();
  const check = (event: React.FormEvent): void => {
    event.preventDefault();
    void signingSecret(body, signature, secretsIn(secret)).then((found = '') => setSignedWith(found));
  };
  return (
    <form className="stack" onSubmit={check} onChange={() => setSignedWith(undefined)}>
      <p className="hint">{t('check.what')}</p>
      {known === undefined && (
        <Field label={t('check.secret')} hint={t('check.secret.hint')}>
          {(control) => (
            <textarea
              {...control}
              required
              rows={2}
              autoComplete="off"
              spellCheck={false}
              value={secret}
              onChange={(event) => setSecret(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label={t('check.body')}>
        {(control) => (
          <textarea
            {...control}
            required
            rows={4}
            spellCheck={false}
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('check.signature')}>
        {(control) => (
          <input
            {...control}
            required
            spellCheck={false}
            value={signature}
            onChange={(event) => setSignature(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit">{t('check.do')}</Button>
      {signedWith !== undefined && (
        <Notice
          kind={signedWith === '' ? 'bad' : 'good'}
          isNews
          title={signedWith === '' ? t('check.wrong') : t('check.right', { hint: hintOf(signedWith) })}
        />
      )}
    </form>
  );
}
