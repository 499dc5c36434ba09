import {
  crashedQueueOf,
  exchangeStands,
  isAccessRefused,
  lookAtQueue,
  ownerOf,
  parkedQueues,
  QUEUES,
  standingTopology,
  WORK_QUEUES,
  type Broker,
  type QueueStanding,
} from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import { counted } from '../../counted.js';
import { fine, unknown, wrong, type Finding } from './finding.js';
import { brokerVersion, judgeBrokerVersion } from './version-checks.js';

/** A queue without a leader answers after a minute, or once it has one again; any other at once. */
const ANSWER_WITHIN_MS = 5_000;
/** More nobody can look through: then erasures wait, and nothing lost is published again. */
const TOO_MUCH_PARKED = 100_000;
const GONE = 'docs/troubleshooting.md#an-exchange-a-queue-or-a-binding-is-gone';
const RUNNING = 'docs/operations.md#running-the-services';
const PARKED = 'docs/troubleshooting.md#parked-messages';
const TOO_FULL = 'docs/troubleshooting.md#a-parked-queue-is-too-full';

export type Standings = ReadonlyMap<string, QueueStanding | undefined>;

/** What is known of the broker before something was published, which alone tells of an alarm. */
export interface BrokerLook {
  readonly findings: readonly Finding[];
  readonly standings: Standings;
}

/** How the broker is, as far as AMQP tells: what is declared, what is put aside, and for later who takes from it. */
export async function checkBroker(broker: Broker): Promise<BrokerLook> {
  const { exchanges, queues, singleNodeQueues } = standingTopology();
  const missing: string[] = [];
  const refused: string[] = [];
  for (const { name } of exchanges) {
    const stands = await unlessRefused(exchangeStands(broker, name));
    if (stands === false) missing.push(name);
    if (stands === 'refused') refused.push(name);
  }
  const names = [...queues, ...singleNodeQueues].map(({ name }) => name);
  const { standings, silent, refused: queuesRefused } = await lookAtQueues(broker, names, ANSWER_WITHIN_MS);
  const findings = [
    judgeBrokerVersion(await brokerVersion(broker)),
    judgeExchanges(missing),
    judgeQueues(standings),
    ...judgeSilent(silent),
    ...judgeUnseen([...refused, ...queuesRefused]),
    ...judgeParked(standings),
  ];
  return { findings, standings };
}

/**
 * Looks at all of them at once: those that give no answer keep none of the others from being told of.
 * @param withinMs how long each may take, ms
 * @returns how those stand that answered, the names of those that did not, and of those that may not be looked at
 */
export async function lookAtQueues(
  broker: Broker,
  names: readonly string[],
  withinMs: number,
): Promise<{ readonly standings: Standings; readonly silent: readonly string[]; readonly refused: readonly string[] }> {
  const standings = new Map<string, QueueStanding | undefined>();
  const silent: string[] = [];
  const refused: string[] = [];
  const looks = names.map(async (name) => {
    const look = unlessRefused(lookAtQueue(broker, name));
    return { name, standing: (await inTime(look, withinMs)) ? await look : ('silent' as const) };
  });
  for (const { name, standing } of await Promise.all(looks)) {
    if (standing === 'silent') silent.push(name);
    else if (standing === 'refused') refused.push(name);
    else standings.set(name, standing);
  }
  return { standings, silent, refused };
}

async function unlessRefused<T>(look: Promise<T>): Promise<T | 'refused'> {
  try {
    return await look;
  } catch (error) {
    if (isAccessRefused(error)) return 'refused';
    throw error;
  }
}

/** What the broker's user may not even look at, so that nothing is said of it. */
export function judgeUnseen(refused: readonly string[]): Finding[] {
  if (refused.length === 0) return [];
  return [
    wrong('rights', {
      what:
        `the user in RABBITMQ_URL may not look at ${refused.join(', ')}: config counts no messages there, and no search ` +
        'for an event gets past it',
      repair:
        'rabbitmqctl set_permissions for this user, as the page has it for config; RabbitMQ 4.2.6 and 4.3.0 ask for more ' +
        'than others do: upgrade them',
      see: 'docs/security.md#users-of-the-broker',
    }),
  ];
}

/** Which queues the broker says nothing of. */
export function judgeSilent(silent: readonly string[]): Finding[] {
  const [first] = silent;
  if (first === undefined) return [];
  return [
    wrong('queues', {
      what:
        `${counted(silent.length, 'queue gives', 'queues give')} no answer, the first of them ${first}: without a leader, ` +
        'as where most nodes of the cluster are away. What is said of consumers and of what is parked leaves them out',
      repair: 'start the nodes that are away; `rabbitmqctl list_queues name state` tells of each queue',
      see: 'docs/incidents.md#a-lost-broker-node',
    }),
  ];
}

/** Whether every exchange is there. */
export function judgeExchanges(missing: readonly string[]): Finding {
  if (missing.length === 0) return fine('exchanges', 'all are there');
  const owners = standingTopology().exchanges.filter(({ name }) => missing.includes(name));
  const services = [...new Set(owners.map(({ owner }) => owner))].join(', ');
  return wrong('exchanges', {
    what: `missing: ${missing.join(', ')}`,
    repair: `${services} declares them within half a minute: start it; if it runs, its log says what refuses it`,
    see: GONE,
  });
}

/** Whether every queue is there. */
export function judgeQueues(standings: Standings): Finding {
  const missing = [...standings].filter(([, standing]) => standing === undefined).map(([name]) => name);
  if (missing.length === 0) return fine('queues', `all ${standings.size} are there`);
  const services = [...new Set(missing.map(ownerOf))].join(', ');
  return wrong('queues', {
    what: `missing: ${missing.join(', ')}; what they held is gone`,
    repair:
      `${services} declares them within half a minute: start it; if it runs, its log says what refuses it. ` +
      'What the log knows is published again by the reconciler',
    see: GONE,
  });
}

/** The queues from which somebody has to take. */
const TAKEN_FROM = [...WORK_QUEUES, QUEUES.due, QUEUES.configRpc, QUEUES.dispatcherRpc];

/** Whether somebody takes from the queues that are there; dispatchers let go of theirs while publishing is blocked. */
export function judgeConsumers(standings: Standings, blocked: boolean): Finding[] {
  const idle = TAKEN_FROM.filter((name) => standings.get(name)?.consumers === 0);
  if (idle.length === 0) return [fine('consumers', 'somebody takes from every work queue')];
  const services = [...new Set(idle.map(ownerOf))];
  return services.map((service) => {
    const queues = idle.filter((name) => ownerOf(name) === service);
    const isHeldBack = blocked && service === 'dispatcher' && !queues.includes(QUEUES.dispatcherRpc);
    if (isHeldBack) {
      const what = `nobody takes from ${queues.join(', ')}, as dispatchers let go of them while publishing is blocked`;
      return unknown('consumers', what);
    }
    const waiting = queues.reduce((sum, name) => sum + standings.get(name)!.messages, 0);
    return wrong('consumers', {
      what: `nobody takes from ${queues.join(', ')}; ${counted(waiting, 'message waits', 'messages wait')}`,
      repair: `start ${service}; if it runs it is not ready, and /health/ready and its log say why`,
      see: RUNNING,
    });
  });
}

/** Whether something waits for a person. */
export function judgeParked(standings: Standings): Finding[] {
  const findings = parkedQueues().flatMap(({ parked }) => {
    const messages = standings.get(parked)?.messages ?? 0;
    if (messages === 0) return [];
    const tooMany = messages > TOO_MUCH_PARKED;
    return wrong('parked', {
      what:
        `${counted(messages, 'message is', 'messages are')} put aside in ${parked}` +
        (tooMany ? ': so many that erasures wait' : ''),
      repair: `\`npm run ops -- parked list ${parked}\`, then \`parked send\` once the cause is gone, or \`parked drop\``,
      see: tooMany ? TOO_FULL : PARKED,
    });
  });
  const crashed = WORK_QUEUES.map(crashedQueueOf).filter((name) => (standings.get(name)?.messages ?? 0) > 0);
  if (crashed.length > 0) {
    findings.push(
      wrong('crashed', {
        what: `${crashed.join(', ')} hold messages of consumers that crashed`,
        repair: 'their service takes them by itself: start it, and look in its log for what crashed',
        see: PARKED,
      }),
    );
  }
  return findings.length === 0 ? [fine('parked', 'nothing is put aside for a person')] : findings;
}

/** Whether the broker takes messages; it says so only to who has tried. */
export function judgeAlarm(blocked: boolean): Finding {
  if (!blocked) return fine('alarm', 'the broker takes messages');
  return wrong('alarm', {
    what: 'the broker blocks publishing: it is short of memory or disk, and nothing is accepted or attempted',
    repair: '`rabbitmqctl status` says which alarm it is: free memory or disk; everything flows on by itself then',
    see: 'docs/troubleshooting.md#the-broker-blocks-publishing',
  });
}
