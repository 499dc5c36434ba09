import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { formsQuery } from '../api/queries.js';
import { useText } from '../text/text.js';

/** Which form this is about, and the way to another. */
export function FormChoice() {
  const t = useText();
  const navigate = useNavigate();
  const { formId } = useParams({ strict: false });
  const forms = useQuery(formsQuery).data ?? [];
  if (formId === undefined) return null;
  const known = forms.some(({ id }) => id === formId) ? forms : [{ id: formId, name: formId }, ...forms];
  if (known.length === 1) return <span className="form-name">{known[0]!.name}</span>;
  return (
    <select
      className="form-name"
      aria-label={t('shell.form')}
      value={formId}
      onChange={(event) => void navigate({ to: '/forms/$formId/endpoints', params: { formId: event.target.value } })}
    >
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
