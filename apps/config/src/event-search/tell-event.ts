import type { DeliveryState } from '@form-webhooks/domain';
import type { BrokerFindingsDto, DeliveryDto, FoundEventDto } from '@form-webhooks/http-api';
import { counted } from '../counted.js';

const SEND = 'POST /v1/forms/{form_id}/events/send';

/** What became of an event, in a sentence or two. */
export function tellEvent(event: Omit<FoundEventDto, 'summary'>): string {
  const accepted = event.accepted_at === null ? 'It is known.' : `Accepted at ${event.accepted_at}.`;
  return `${accepted} ${tellOutcome(event)}`;
}

function tellOutcome({ outcome, deliveries }: Omit<FoundEventDto, 'summary'>): string {
  if (deliveries.length > 0) return tellDeliveries(deliveries);
  switch (outcome) {
    case 'waiting':
      return (
        'Its form is not registered yet, or its endpoints could not be looked up yet: config is away, or dispatchers ' +
        'refuse its answers, which their log tells. It is tried again within a minute at most. If it goes on ' +
        'waiting, look whether the form is registered here.'
      );
    case 'not_registered':
      return `Its form was not registered, so it went to nobody. Register the form and an endpoint, then ${SEND}.`;
    case 'no_endpoints':
      return `No endpoint was enabled for it, so it went to nobody. Enable one, then ${SEND}.`;
    case 'fanned_out':
      return 'The records of its deliveries are still on their way to the log: ask again in a moment.';
  }
}

function tellDeliveries(deliveries: readonly DeliveryDto[]): string {
  const told = [...groupsOf(deliveries)].map(([words, count]) => `${count} ${words}`);
  return `${counted(deliveries.length, 'delivery', 'deliveries')}: ${told.join(', ')}.`;
}

function groupsOf(deliveries: readonly DeliveryDto[]): Map<string, number> {
  const groups = new Map<string, number>();
  for (const delivery of deliveries) {
    const words = tellDelivery(delivery);
    groups.set(words, (groups.get(words) ?? 0) + 1);
  }
  return groups;
}

const OPEN: readonly DeliveryState[] = ['pending', 'retrying'];

function tellDelivery({ state, reason, next_attempt_at, waits_for }: DeliveryDto): string {
  if (!OPEN.includes(state)) return reason === null ? state : `${state} (${reason})`;
  const until = next_attempt_at === null ? 'waits for its attempt' : `waits until ${next_attempt_at}`;
  return waits_for === null ? until : `${until} (${waits_for})`;
}

/** What a search found, or what it can mean that it found nothing. */
export function tellSearch(
  events: readonly FoundEventDto[],
  broker: BrokerFindingsDto | null,
  isOperator: boolean,
  retentionDays: number,
): string {
  const told = [...tellFound(events), ...tellParked(broker)];
  if (told.length > 0) return told.join(' ');
  return ['Not known here.', ...tellWaiting(broker, isOperator), neverHere(retentionDays)].join(' ');
}

function tellFound(events: readonly FoundEventDto[]): string[] {
  if (events.length < 2) return events.map(({ summary }) => summary);
  return [`${events.length} events have this key, the newest first: each is told apart.`];
}

function tellParked(broker: BrokerFindingsDto | null): string[] {
  return (broker?.parked ?? []).slice(0, 3).map(({ queue, reason }) => {
    const what = queue.endsWith('.rejected') ? 'It was refused and put aside' : 'It is parked';
    return `${what} in ${queue}: ${reason}.`;
  });
}

/** Why it may be here after all. */
function tellWaiting(broker: BrokerFindingsDto | null, isOperator: boolean): string[] {
  if (!broker) return isOperator ? ['The broker could not be asked, so it may still wait there: ask again.'] : [];
  const waiting = broker.waiting.reduce((sum, { messages }) => sum + messages, 0);
  const told: string[] = [];
  if (waiting > 0)
    told.push(`${counted(waiting, 'message waits', 'messages wait')} before the log; it may be among them: ask again.`);
  if (broker.parked_not_searched > 0) {
    const unseen = counted(broker.parked_not_searched, 'parked message was', 'parked messages were');
    told.push(`${unseen} not looked at; it may be among them.`);
  }
  return told;
}

const neverHere = (retentionDays: number): string =>
  'What was accepted within the last seconds may still be on its way to the log. Otherwise the id is wrong, its sender ' +
  'got no 202 for it, or got it from another installation, or it was accepted more than ' +
  `${retentionDays} days ago, which is as long as the log is kept.`;
