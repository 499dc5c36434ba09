import { randomBytes } from 'node:crypto';
import { inTime } from '@form-webhooks/domain';
import { migrateAsOwner, postgresTool } from '@form-webhooks/local';
import type pg from 'pg';
import { operate } from '../../stage/operator.js';
import { THIS_BUILD } from '../../stage/service.js';
import type { Fault, Scene } from '../fault.js';
import { asRole, changePassword, connected, endConnections, logsIn } from './database-roles.js';

const GOES_ON_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 10_000;

/**
 * The role that owns the tables gets another password and its connections are ended, as docs/key-compromise.md has it.
 * The migration job and backups need the new one; config, which is another role, keeps its process and connections.
 */
export const ownerPassword: Fault = {
  kind: "the database owner's password changed",
  async strike(scene) {
    const { postgres } = scene.stage;
    const leaked = postgres.url;
    const fresh = randomBytes(16).toString('hex');
    const config = await ConfigAtWork.look(scene);
    const thief = await connected(leaked);
    const ended = new Promise((resolve) => thief.once('end', resolve));
    try {
      await changePassword(leaked, fresh);
      postgres.ownerPasswordChanged(fresh);
      if (!(await answers(thief)))
        throw new Error('a connection that stood did not outlive the change of the password');
      scene.note(`${await endConnections(postgres.url)} connections of the owner ended`);
      if (!(await inTime(ended, ENDED_WITHIN_MS))) throw new Error('who had the old password is still connected');
    } finally {
      await thief.end();
    }
    await refuseOld(leaked);
    await useNew(scene);
    await scene.goesOn(GOES_ON_WITHIN_MS);
    scene.note(await config.noticedNothing());
    scene.healing();
  },
};

const answers = (client: pg.Client): Promise<boolean> =>
  client.query('SELECT 1').then(
    () => true,
    () => false,
  );

async function refuseOld(leaked: string): Promise<void> {
  const migrated = await migrateAsOwner(THIS_BUILD, leaked).then(
    () => true,
    () => false,
  );
  if (migrated || (await logsIn(leaked))) throw new Error('the old password still opens the database');
}

/** Whoever had the old one: the migration job, backups. Then whether the audit log is whole. */
async function useNew(scene: Scene): Promise<void> {
  const { stage } = scene;
  await stage.migrate(THIS_BUILD);
  await postgresTool('pg_dump', '--schema-only', '--file=/dev/null', stage.postgres.url);
  type Verified = { readonly chains: readonly unknown[] };
  const { chains } = await operate<Verified>(stage, 'audit', 'verify');
  scene.note(`${chains.length} chains of the audit log are whole`);
}

/** The processes of config and their connections to the database, as they were before. */
class ConfigAtWork {
  private constructor(
    private readonly scene: Scene,
    private readonly processes: readonly (number | undefined)[],
    private readonly backends: readonly number[],
  ) {}

  static async look(scene: Scene): Promise<ConfigAtWork> {
    return new ConfigAtWork(scene, pidsOf(scene), await backendsOf(scene));
  }

  /** @returns what was seen @throws Error if a process or each of the connections is another one */
  async noticedNothing(): Promise<string> {
    const processes = pidsOf(this.scene);
    if (processes.some((pid, n) => pid !== this.processes[n])) throw new Error('config did not go on as it was');
    const now = new Set(await backendsOf(this.scene));
    const kept = this.backends.filter((backend) => now.has(backend)).length;
    if (kept === 0) throw new Error("none of config's connections to the database stands any more");
    // A pool closes those that idle by itself.
    return `config kept ${kept} of ${this.backends.length} connections`;
  }
}

const pidsOf = ({ stage }: Scene): (number | undefined)[] => stage.of('config').map(({ pid }) => pid);

/** The server's processes that work for config's role. */
const backendsOf = ({ stage }: Scene): Promise<number[]> =>
  asRole(stage.postgres.url, async (client) => {
    const role = new URL(stage.of('config')[0]!.env['DATABASE_URL']!).username;
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE usename = $1', [role]);
    return rows.map(({ pid }) => pid);
  });
