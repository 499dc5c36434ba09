import { QUEUES, RpcUnavailable, type Broker } from '@form-webhooks/broker';
import type { CheckUrlReply } from '@form-webhooks/messages';
import type { Fault } from '../../failures/fault.js';
import type { HealthUrl } from '../ops-settings.js';
import { fine, wrong, type Finding } from './finding.js';

const ANSWER_WITHIN_MS = 5_000;
const CHECK_WITHIN_MS = 20_000;

/** What a service's `/health/ready` answered; null if nothing did. */
export interface ReadinessAnswer {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** Whether each service is ready. */
export async function checkServices(urls: readonly HealthUrl[]): Promise<Finding[]> {
  return Promise.all(urls.map(async ({ service, url }) => judgeReadiness(service, url, await readinessAt(url))));
}

async function readinessAt(url: string): Promise<ReadinessAnswer | null> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { checks = {} } = (await response.json()) as Partial<ReadinessAnswer>;
    return { ready: response.ok, checks };
  } catch {
    return null;
  }
}

/** What a check of a service's readiness means that is false. */
const CHECKS: Readonly<Record<string, string>> = {
  api: 'its API is not served yet',
  publishing: 'it can not publish: the broker is away, or blocks',
  consuming: 'it takes no messages',
  topology: 'exchanges, queues or bindings that it needs are missing, or it may not declare them',
  broker_version: 'the broker is too old',
  work: 'it may begin no work: the broker does not confirm what it publishes',
  forms: 'it knows no form and config does not answer it, or has another key ring',
  database: 'PostgreSQL does not answer it',
  log: 'it can not write the delivery log',
};

const NOT_READY = 'docs/troubleshooting.md#a-service-is-not-ready';
/** What nothing else here shows, if nothing else is wrong. */
const REFUSED_ANSWERS = 'docs/troubleshooting.md#dispatchers-refuse-configs-answers';

/** What a service says of itself. */
export function judgeReadiness(service: string, url: string, answer: ReadinessAnswer | null): Finding {
  if (!answer) {
    return wrong(service, {
      what: `${service} does not answer at ${url}`,
      repair: `start ${service}, or correct its address in HEALTH_URLS`,
      see: service === 'config' ? 'docs/troubleshooting.md#config-is-down' : 'docs/operations.md#running-the-services',
    });
  }
  if (answer.ready) return fine(service, `${service} is ready`);
  const failing = Object.keys(answer.checks).filter((name) => !answer.checks[name]);
  return wrong(service, {
    what: `${service} is not ready: ${failing.map((name) => CHECKS[name] ?? name).join('; ')}`,
    repair: 'see what is said of the broker and the database here; if nothing, its log names the cause',
    see: failing.includes('forms') ? REFUSED_ANSWERS : NOT_READY,
  });
}

/** Whether config and a dispatcher answer over the broker: queue, binding, consumer and reply together. */
export async function checkCalls(broker: Broker, ownHosts: readonly string[]): Promise<Finding[]> {
  const config = await callFault(() =>
    broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: 'f_operator' }, ANSWER_WITHIN_MS),
  );
  const egress = await checkEgress(broker, ownHosts);
  return [judgeCall('config', config), ...egress];
}

/** What went wrong with a call; undefined if an answer came, whatever it says. */
async function callFault(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error instanceof RpcUnavailable ? error.message : undefined;
  }
}

/** Whether a service answers what others ask it over the broker. */
export function judgeCall(service: 'config' | 'dispatcher', fault: string | undefined): Finding {
  const check = `${service} calls`;
  if (fault === undefined) return fine(check, `${service} answers over the broker`);
  const isUnbound = fault.includes('nothing takes the call');
  const told: Fault = isUnbound
    ? {
        what: `a queue or its binding is missing: ${fault}`,
        repair: `${service} declares it within half a minute: start it; if it runs, its log says what refuses it`,
        see: 'docs/troubleshooting.md#an-exchange-a-queue-or-a-binding-is-gone',
      }
    : {
        what: `${service} does not answer over the broker: ${fault}`,
        repair: `start ${service}; if it runs, look at what its /health/ready says`,
        see: 'docs/operations.md#running-the-services',
      };
  return wrong(check, told);
}

/** Where clouds give every machine its credentials: no receiver is ever there. */
const METADATA_HOST = '169.254.169.254';

/** Asks a dispatcher about hosts that deliveries must never reach. */
async function checkEgress(broker: Broker, ownHosts: readonly string[]): Promise<Finding[]> {
  const open: string[] = [];
  for (const host of [METADATA_HOST, ...ownHosts]) {
    const url = `https://${host.includes(':') ? `[${host}]` : host}/`;
    let reply: CheckUrlReply | undefined;
    const fault = await callFault(async () => {
      reply = await broker.rpc.call(QUEUES.dispatcherRpc, 'check_url', { url }, CHECK_WITHIN_MS);
    });
    if (fault !== undefined) return [judgeCall('dispatcher', fault)];
    if (reply && isOpen(reply)) open.push(host);
  }
  return [judgeCall('dispatcher', undefined), judgeEgress(open)];
}

/** A name that leads nowhere is not reached either. */
const isOpen = (reply: CheckUrlReply): boolean => reply.ok || !['address_not_allowed', 'dns'].includes(reply.code);

/** Whether deliveries can reach what they must not. */
export function judgeEgress(open: readonly string[]): Finding {
  if (open.length === 0) return fine('egress', "deliveries can not reach the cloud's metadata, nor our own servers");
  return wrong('egress', {
    what: `deliveries can reach ${open.join(', ')}`,
    repair:
      'take what contains it out of EGRESS_ALLOW, or add our own public addresses to EGRESS_DENY, and restart dispatchers',
    see: 'docs/security.md',
  });
}
