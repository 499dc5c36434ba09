import { useEffect, useRef, useState } from 'react';
import { askAgain } from '../api/ask-again.js';
import { onSessionEnd } from '../api/client.js';
import { isStatus } from '../api/problem.js';
import { queryClient } from '../api/query-client.js';
import { mayForget, untilTold } from './session-end.js';
import { findSession, isSamePerson, onSessionBegun, type Session } from './session.js';

/** After how long an end that is near is told again to who had to go on in an open dialog first, ms. */
const TOLD_AGAIN_MS = 60_000;

export interface SessionWatch {
  /** How far what stands on the page may be covered to say that it is over; undefined while it is not. */
  readonly over: 'beside' | 'above' | undefined;
  /** What keeps it from being known whether another has begun. */
  readonly problem: unknown;
  readonly check: () => void;
}

/**
 * Whether the session is over, and what finds out that another has begun. A call that was made before a session was
 * renewed can be refused after it was: so a refusal is only a reason to ask whether there is a session.
 */
export function useSessionWatch(session: Session, onRenewed: (session: Session) => void): SessionWatch {
  const [over, setOver] = useState<SessionWatch['over']>();
  const [problem, setProblem] = useState<unknown>();
  const [isPutOff, putOff] = useState(false);
  const asked = useRef({ times: 0, isUnderWay: false });
  const check = async (): Promise<void> => {
    const mine = ++asked.current.times;
    asked.current.isUnderWay = true;
    const found = await findSession().catch((thrown: unknown) => ({ thrown }));
    // What was asked for before says nothing of what has been answered since.
    if (mine !== asked.current.times) return;
    asked.current.isUnderWay = false;
    if ('thrown' in found) {
      setOver(placeNow());
      return setProblem(isStatus(found.thrown, 401) ? undefined : found.thrown);
    }
    // Somebody else is here now: nothing of what stands on the page is theirs.
    if (!isSamePerson(found, session)) return location.reload();
    setProblem(undefined);
    const isForgotten = mayForget(found, session, Date.now());
    // Over an open dialog it keeps from everything, so it makes way there while the session still is there.
    if (isForgotten || over === 'above') setOver(undefined);
    putOff(!isForgotten && over === 'above');
    if (found.expires_at === session.expires_at) return;
    onRenewed(found);
    askAgain(queryClient);
  };
  useEffect(() => onSessionEnd(() => void (asked.current.isUnderWay || check())));
  useEffect(() => onSessionBegun(() => void check()));
  useEffect(() => tellBeforeTheEnd(session, () => setOver(placeNow())), [session]);
  useEffect(() => (isPutOff ? later(() => (putOff(false), setOver(placeNow()))) : undefined), [isPutOff]);
  useEffect(() => (over ? onComingBack(() => void check()) : undefined));
  return { over, problem, check: () => void check() };
}

/**
 * The page finds out by itself, at any moment: nobody is kept from typing on or from what she was about to press. Only
 * over an open dialog, beside which nothing can be reached, does it have to stand above.
 */
const placeNow = (): 'beside' | 'above' => (document.querySelector('dialog[open]') ? 'above' : 'beside');

/** Who comes back from the tab in which it was opened anew need not press anything. @returns what ends the listening */
function onComingBack(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  return () => window.removeEventListener('focus', listener);
}

function later(act: () => void): () => void {
  const timer = setTimeout(act, TOLD_AGAIN_MS);
  return () => clearTimeout(timer);
}

/** Before the end: what is typed then still can be sent once the session is renewed. */
function tellBeforeTheEnd(session: Session, tell: () => void): () => void {
  const wait = untilTold(session, Date.now());
  // A session as short as the warning would be over at once; setTimeout takes no more than 24.8 days.
  if (wait < 0 || wait > 2 ** 31 - 1) return () => undefined;
  const timer = setTimeout(tell, wait);
  return () => clearTimeout(timer);
}
