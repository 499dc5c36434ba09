import { fieldOfMoment, momentOfField } from '../../text/moments.js';
import { useText } from '../../text/text.js';
import { Field } from '../field.js';
import { useTypedText } from './typed-text.js';

interface TimeRangeFieldsProps {
  readonly range: { readonly from?: string | undefined; readonly to?: string | undefined };
  /** Told of the end that was changed, once its field is left; empty for one that was taken out. */
  readonly onChange: (changed: { readonly from?: string; readonly to?: string }) => void;
}

/** From when to when, each end as the viewer's clock has it and either left open. */
export function TimeRangeFields({ range, onChange }: TimeRangeFieldsProps) {
  return (['from', 'to'] as const).map((end) => (
    <TimeField key={end} end={end} at={range[end]} onChange={(at) => onChange({ [end]: at })} />
  ));
}

interface TimeFieldProps {
  readonly end: 'from' | 'to';
  readonly at: string | undefined;
  readonly onChange: (at: string) => void;
}

/** On the way to a date each key makes another one, of a year that nobody means: it counts once it is left. */
function TimeField({ end, at, onChange }: TimeFieldProps) {
  const t = useText();
  const shown = fieldOfMoment(at);
  const [typed, setTyped] = useTypedText(shown);
  // The field has no seconds: what was not changed keeps its own.
  const leave = (): void => {
    if (typed !== shown) onChange(momentOfField(typed) ?? '');
  };
  return (
    <Field label={t(`filter.${end}`)}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') leave();
          }}
        />
      )}
    </Field>
  );
}
