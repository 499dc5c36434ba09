import { useText } from '../../text/text.js';
import { Field } from '../../ui/field.js';

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

/** One value of a field, or all. */
export function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  const t = useText();
  // Of an endpoint that was deleted, or written by hand.
  const isUnknown = value !== '' && !options.some(([one]) => one === value);
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('filter.all')}</option>
          {isUnknown && <option value={value}>{value}</option>}
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
