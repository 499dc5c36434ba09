import { useText } from '../../text/text.js';
import { Field } from '../field.js';
import { useTypedText } from './typed-text.js';

interface StatusFieldProps {
  /** Empty for any. */
  readonly status: string;
  readonly onChange: (status: string) => void;
}

/** A status of HTTP. Three digits count as soon as they are there; what is none goes once the field is left. */
export function StatusField({ status, onChange }: StatusFieldProps) {
  const t = useText();
  const [typed, setTyped] = useTypedText(status);
  return (
    <Field label={t('filter.status')}>
      {(control) => (
        <input
          {...control}
          className="short"
          inputMode="numeric"
          maxLength={3}
          placeholder="503"
          value={typed}
          onBlur={() => setTyped(status)}
          onChange={({ target: { value } }) => {
            setTyped(value);
            if (/^(?:[1-9]\d\d)?$/.test(value)) onChange(value);
          }}
        />
      )}
    </Field>
  );
}
