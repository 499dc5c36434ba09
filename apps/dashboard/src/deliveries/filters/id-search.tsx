import { useText } from '../../text/text.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { useTypedText } from '../../ui/filters/typed-text.js';
import type { FilterPartProps } from './filter-part.js';

/** Searches by a part of any id, once somebody has typed it. */
export function IdSearch({ search, onChange }: FilterPartProps) {
  const t = useText();
  const [typed, setTyped] = useTypedText(search.text ?? '');
  const isWrong = !/^[\w-]{0,64}$/.test(typed.trim());
  return (
    <form
      className="id-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onChange({ text: typed.trim() });
      }}
    >
      <Field label={t('filter.id')} error={isWrong ? t('filter.id.wrong') : undefined}>
        {(control) => (
          <input
            {...control}
            type="search"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit">{t('filter.id.do')}</Button>
    </form>
  );
}
