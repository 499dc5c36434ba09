import { useParams } from '@tanstack/react-router';
import { useEffect, useState, type RefObject } from 'react';
import { useText } from '../../text/text.js';
import { announce } from '../../ui/announcer.js';
import { newRowsTeller } from './tell-new.js';

/** How often who listens is told of new rows at most, ms. */
const SAID_EVERY_MS = 10_000;

/** What would change the log if it were let in. */
export interface Waiting {
  readonly fresh: number;
  readonly gone: number;
  readonly letIn: () => void;
}

/**
 * What is new comes in by itself, and what matches no more goes, only where it moves nothing that somebody reads: at the
 * top, without the focus, and beside no open delivery, for which a narrow page puts the log away.
 */
export function useLettingIn(scroll: RefObject<HTMLDivElement | null>, { fresh, gone, letIn }: Waiting): void {
  const t = useText();
  const { deliveryId } = useParams({ strict: false });
  const say = (sum: number): void => announce(t('deliveries.new', { count: sum }));
  const [teller] = useState(() => newRowsTeller(say, SAID_EVERY_MS));
  useEffect(() => teller.stop, [teller]);
  useEffect(() => teller.see(fresh), [teller, fresh]);
  useEffect(() => {
    if (fresh + gone === 0 || deliveryId !== undefined) return;
    const list = scroll.current;
    const isHeld = list !== null && (list.scrollTop > 0 || list.contains(document.activeElement));
    if (!isHeld) letIn();
  }, [fresh, gone, deliveryId]);
}
