import { fieldOfMoment, momentOfField } from '../text/moments.js';
import { useText } from '../text/text.js';
import { Field } from './field.js';

interface TimeRangeFieldsProps {
  readonly range: { readonly from?: string | undefined; readonly to?: string | undefined };
  /** Told of the end that was changed; empty for one that was taken out. */
  readonly onChange: (changed: { readonly from?: string; readonly to?: string }) => void;
}

/** From when to when, each end as the viewer's clock has it and either left open. */
export function TimeRangeFields({ range, onChange }: TimeRangeFieldsProps) {
  const t = useText();
  return (['from', 'to'] as const).map((end) => (
    <Field key={end} label={t(`filter.${end}`)}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={fieldOfMoment(range[end])}
          onChange={(event) => onChange({ [end]: momentOfField(event.target.value) ?? '' })}
        />
      )}
    </Field>
  ));
}
