import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SCALED_TIME } from '../../settings.js';
import { operate } from '../../stage/operator.js';
import type { Service } from '../../stage/service.js';
import type { Fault, Scene } from '../fault.js';
import { callConfig } from './config-api.js';
import { restartInTurn } from './in-turn.js';

/*
 * A key leaked and another takes its place, under load, as docs/key-compromise.md has it.
 */

const REFUSED_WITHIN_MS = 60_000;
const LOOK_MS = 250;
/** A dispatcher knows what config told it for so long. */
const CACHE_AGE_MS = 1_000 * Number.parseInt(SCALED_TIME.CACHE_MAX_AGE, 10);

const freshKey = (): string => randomBytes(32).toString('base64');

/** Dispatchers know the new key before config seals with it, and the old one until nothing is sealed with it. */
const keyRing: Fault = {
  kind: 'the key ring changed',
  async strike(scene) {
    const { stage } = scene;
    const [configs, dispatchers] = [stage.of('config'), stage.of('dispatcher')];
    const was = stage.secretKeys;
    const fresh = `k${Date.now()}:${freshKey()}`;
    const round = async (services: readonly Service[], ring: string): Promise<void> => {
      stage.secretKeys = ring;
      await restartInTurn(scene, services, () => ({ SECRET_KEYS: ring }));
    };
    await round(dispatchers, `${was},${fresh}`);
    await round([...configs, ...dispatchers], `${fresh},${was}`);
    type Rotated = { readonly sealed: number; readonly still_in_use: readonly string[] };
    const { sealed, still_in_use: inUse } = await operate<Rotated>(stage, 'keys', 'rotate');
    if (inUse.length > 0) throw new Error(`keys still seal something: ${inUse.join(', ')}`);
    scene.note(`${sealed} secrets sealed anew`);
    await wait(CACHE_AGE_MS);
    await round([...configs, ...dispatchers], fresh);
    scene.healing();
  },
};

/** The admin key is in config's environment alone. */
const adminKey: Fault = {
  kind: 'the admin key changed',
  async strike(scene) {
    const { stage } = scene;
    const [leaked, fresh] = [stage.adminKey, `admin-${randomBytes(24).toString('hex')}`];
    if ((await statusOf(scene, leaked)) === 401) throw new Error('the admin key was refused while it was right');
    await restartInTurn(scene, stage.of('config'), () => ({ ADMIN_API_KEY: fresh }));
    stage.adminKey = fresh;
    scene.healing();
    scene.note(`ingest refused the old one ${await untilRefused(scene, leaked)} s later`);
  },
};

/** Ingest hears of a revoked key at once. */
const serviceKey: Fault = {
  kind: 'a service key revoked',
  async strike(scene) {
    const about = { name: 'leaked', kind: 'service', scopes: ['events:write'] };
    const { id, key } = (await callConfig(scene, 'POST', '/v1/api-keys', about)) as { id: string; key: string };
    if ((await statusOf(scene, key)) === 401) throw new Error('a new service key was refused');
    await callConfig(scene, 'DELETE', `/v1/api-keys/${id}?kind=service`);
    scene.healing();
    scene.note(`ingest refused it ${await untilRefused(scene, key)} s later`);
  },
};

/** The same nodes, in a run with proxies reached through them as before, as another user. */
export const urlAs = (urls: string, username: string, password: string): string =>
  urls
    .split(',')
    .map((url) => Object.assign(new URL(url), { username, password }).href)
    .join(',');

/** Connections that stand are not asked for the password again; each service gets the new one in its turn. */
const brokerPassword: Fault = {
  kind: "a broker user's password changed",
  async strike(scene) {
    const { stage } = scene;
    const user = `services-${randomBytes(4).toString('hex')}`;
    const as = (password: string) => (service: Service) => ({
      RABBITMQ_URL: urlAs(service.env['RABBITMQ_URL']!, user, password),
    });
    const [leaked, fresh] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    await withUsers(scene, `add_user(<<"${user}">>, <<"${leaked}">>, By)`);
    await withUsers(scene, `set_permissions(<<"${user}">>, <<"/">>, <<".*">>, <<".*">>, <<".*">>, By)`);
    await restartInTurn(scene, stage.services, as(leaked));
    await withUsers(scene, `change_password(<<"${user}">>, <<"${fresh}">>, By)`);
    await scene.goesOn(REFUSED_WITHIN_MS);
    await restartInTurn(scene, stage.services, as(fresh));
    scene.healing();
  },
};

/** What `rabbitmqctl add_user` and the like call. */
const withUsers = ({ stage }: Scene, call: string): Promise<string> =>
  stage.broker.ctl('eval', `By = <<"survival run">>, ok = rabbit_auth_backend_internal:${call}.`);

/** What an ingest says to a key: 401, or something about the event, which is none. */
async function statusOf({ stage }: Scene, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${stage.ingestUrls[0]}/v1/events`, { method: 'POST', headers, body: '{}' });
  await response.arrayBuffer();
  return response.status;
}

/** @returns after how many seconds it is refused */
async function untilRefused(scene: Scene, key: string): Promise<string> {
  const began = performance.now();
  while ((await statusOf(scene, key)) !== 401) {
    if (performance.now() - began > REFUSED_WITHIN_MS) throw new Error('ingest still takes the old key');
    await wait(LOOK_MS);
  }
  return ((performance.now() - began) / 1_000).toFixed(1);
}

/** What the services were given at their start, or made themselves. */
export const LEAKED_KEYS: readonly Fault[] = [keyRing, adminKey, serviceKey, brokerPassword];
