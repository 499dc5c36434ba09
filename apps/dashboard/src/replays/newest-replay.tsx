import { useQuery } from '@tanstack/react-query';
import { replaysQuery } from '../api/queries.js';
import { useText } from '../text/text.js';
import { ReplayLine } from './replay-line.js';

/** The way back to what is being sent again, or was last; a form has one running at most, which is its newest. */
export function NewestReplay({ formId }: { readonly formId: string }) {
  const t = useText();
  const newest = useQuery(replaysQuery(formId)).data?.[0];
  if (newest === undefined) return null;
  return (
    <p className="row">
      <span>{t(newest.state === 'running' ? 'replay.running' : 'replay.last')}</span>
      <ReplayLine replay={newest} />
    </p>
  );
}
