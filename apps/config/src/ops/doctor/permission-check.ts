import { EXCHANGES, parkedQueues, type Broker } from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import { fine, unknown, wrong, type Finding } from './finding.js';

type Channel = Awaited<ReturnType<Broker['consuming']['openChannel']>>;

const ANSWER_WITHIN_MS = 5_000;
/** Leads nowhere, so that what is published to it comes back. */
const NOWHERE = 'operator.nowhere';

/** What the user in RABBITMQ_URL may do, tried by what changes nothing. The rights of the others: `--definitions`. */
export async function checkPermissions(broker: Broker): Promise<Finding> {
  // During an alarm the broker reads nothing more of a connection that has published.
  if (broker.status().blocked)
    return unknown('permissions', 'they can not be tried while the broker blocks publishing');
  const refusals: string[] = [];
  for (const attempt of ATTEMPTS) {
    const refusal = await refusalOf(broker, attempt);
    if (refusal === undefined) continue;
    if (!/ACCESS[-_]REFUSED/.test(refusal)) return unknown('permissions', `they could not be tried: ${refusal}`);
    refusals.push(refusal);
  }
  return judgePermissions(refusals);
}

/** What is wrong with the rights, by what the broker said to each attempt that it refused. */
export function judgePermissions(refusals: readonly string[]): Finding {
  if (refusals.length === 0) return fine('permissions', 'the user in RABBITMQ_URL may do what config has to');
  const told = refusals.map((refusal) => /access to [^"]*refused for user '[^']*'/.exec(refusal)?.[0] ?? refusal);
  return wrong('permissions', {
    what: told.join('; '),
    repair: 'rabbitmqctl set_permissions for this user, as the page has it for config',
    see: 'docs/security.md#users-of-the-broker',
  });
}

type Attempt = (channel: Channel) => Promise<unknown>;

const ATTEMPTS: readonly Attempt[] = [
  async (channel) => {
    // One that is not there must not be made. Declared as it stands nothing changes, and it needs the right to declare.
    await channel.checkExchange(EXCHANGES.configChanges);
    await channel.assertExchange(EXCHANGES.configChanges, 'fanout', { durable: true });
  },
  async (channel) => {
    channel.publish('', NOWHERE, Buffer.alloc(0), { mandatory: true });
    // The refusal comes before the answer to anything that is asked later; of what it may look at, as 4.3 asks for.
    await channel.checkExchange(EXCHANGES.configChanges);
  },
  // What is taken goes back as the channel closes.
  ...parkedQueues().map(
    ({ parked }) =>
      (channel: Channel) =>
        channel.get(parked),
  ),
];

/** @returns what the broker says against it */
async function refusalOf(broker: Broker, attempt: Attempt): Promise<string | undefined> {
  const channel = await broker.consuming.openChannel();
  try {
    if (!(await inTime(attempt(channel), ANSWER_WITHIN_MS))) return 'the broker does not answer';
    await channel.close();
    return undefined;
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    // What is not there is told of by the check of the queues.
    return code === 404 ? undefined : message;
  }
}
