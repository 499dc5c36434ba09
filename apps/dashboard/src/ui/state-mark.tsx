import type { DeliveryState } from '@form-webhooks/domain/enumerations';
import type { ReactNode } from 'react';
import { useText, type TextId } from '../text/text.js';
import { Icon, type IconName } from './icons.js';

type Tone = 'good' | 'bad' | 'warning' | 'calm' | 'busy';

interface MarkProps {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly children: ReactNode;
}

/** A state in a word, an icon and a colour; the word alone says it all. */
export const Mark = ({ tone, icon, children }: MarkProps) => (
  <span className={`mark ${tone}`}>
    <Icon name={icon} />
    <span>{children}</span>
  </span>
);

const STATES: Readonly<Record<DeliveryState, readonly [Tone, IconName, TextId]>> = {
  pending: ['busy', 'clock', 'state.pending'],
  retrying: ['warning', 'retry', 'state.retrying'],
  cancelled: ['calm', 'stop', 'state.cancelled'],
  failed: ['bad', 'cross', 'state.failed'],
  delivered: ['good', 'check', 'state.delivered'],
};

interface StateMarkProps {
  readonly state: DeliveryState;
  readonly attempts?: number;
  /** How many attempts there are in all; undefined if that is not known. */
  readonly allowed?: number | undefined;
}

export function StateMark({ state, attempts, allowed }: StateMarkProps) {
  const t = useText();
  const [tone, icon, id] = STATES[state];
  const retrying = allowed === undefined ? 'state.retrying.n' : 'state.retrying.of';
  const words = state === 'retrying' && attempts !== undefined ? t(retrying, { attempts, allowed }) : t(id);
  return (
    <Mark tone={tone} icon={icon}>
      {words}
    </Mark>
  );
}
