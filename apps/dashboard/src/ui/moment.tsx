import { useSyncExternalStore } from 'react';
import { fullMoment, relativeMoment, shortMoment, utcMoment } from '../text/moments.js';
import { useLanguage } from '../text/text.js';

const TICK_MS = 10_000;
const HOUR_MS = 3_600_000;

interface MomentProps {
  readonly at: string;
  readonly as?: 'short' | 'full' | 'relative';
  /** It stands in a link or a summary, which shows the UTC time with its own focus. */
  readonly isInside?: boolean;
}

/** A moment in the viewer's zone and language; the same in UTC appears while it is pointed at or has the focus. */
export function Moment({ at, as = 'short', isInside = false }: MomentProps) {
  const language = useLanguage();
  const shown = as === 'relative' ? <Relative at={at} /> : as === 'full' ? fullMoment(at, language) : <Short at={at} />;
  return (
    <time
      dateTime={at}
      title={`${fullMoment(at, language)} · ${utcMoment(at)}`}
      data-utc={utcMoment(at)}
      tabIndex={isInside ? undefined : 0}
    >
      {shown}
    </time>
  );
}

function Short({ at }: { readonly at: string }) {
  const language = useLanguage();
  return <>{shortMoment(at, language, useDay())}</>;
}

function Relative({ at }: { readonly at: string }) {
  const language = useLanguage();
  return <>{relativeMoment(at, language, useNow())}</>;
}

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all moments of the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** When the viewer's present day began; whoever asks is shown anew when the next begins. */
export const useDay = (): number => useSyncExternalStore(subscribe, () => new Date(now).setHours(0, 0, 0, 0));

/** When the present hour began, by UTC; whoever asks is shown anew when the next begins. */
export const useHour = (): number => useSyncExternalStore(subscribe, () => Math.floor(now / HOUR_MS) * HOUR_MS);
