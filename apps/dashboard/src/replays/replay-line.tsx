import { Link } from '@tanstack/react-router';
import type { Replay } from '../api/queries.js';
import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Moment } from '../ui/moment.js';

/** A replay in a line, which leads to its page: when it began, and how far it is. */
export function ReplayLine({ replay }: { readonly replay: Replay }) {
  const t = useText();
  const language = useLanguage();
  const { id, form_id: formId, created_at: at, state, replayed, matched } = replay;
  return (
    <>
      <Link to="/forms/$formId/replays/$replayId" params={{ formId, replayId: id }}>
        <Moment at={at} as="full" isInside />
      </Link>
      <span>{t(`replay.state.${state}`)}</span>
      <span className="hint">
        {plainNumber(replayed, language)} / {plainNumber(matched, language)}
      </span>
    </>
  );
}
