import { useParams } from '@tanstack/react-router';

/** Which form this is about. */
export function FormChoice() {
  const { formId } = useParams({ strict: false });
  return formId === undefined ? null : <code className="form-name">{formId}</code>;
}
