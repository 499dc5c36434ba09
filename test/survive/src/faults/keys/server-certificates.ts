import { join } from 'node:path';
import { issueCertificate, type CertificateAuthority } from '@form-webhooks/local';
import { operate, operateWith } from '../../stage/operator.js';
import type { Service } from '../../stage/service.js';
import { TlsFront, type ServerIdentity } from '../../stage/tls-front.js';
import type { Fault, Scene } from '../fault.js';
import { freshAuthority, writeTrust } from './authorities.js';
import { restartInTurn } from './in-turn.js';

const GOES_ON_WITHIN_MS = 60_000;

/**
 * Broker and database get certificates of another authority, under load, as docs/key-compromise.md has it. They speak TLS
 * for as long as the fault takes: the services are led through a front before each, and back at the end.
 */
export const serverCertificates: Fault = {
  kind: 'the certificates of broker and database changed',
  async strike(scene) {
    const { stage } = scene;
    const [leaked, fresh] = [await freshAuthority(stage), await freshAuthority(stage)];
    const trust = join(stage.folder, 'trusted-servers.pem');
    const fronts = await Fronts.open(scene, trust, await issueCertificate(leaked));
    const plain = new Map(stage.services.map((service) => [service, urlsOf(service)]));
    try {
      writeTrust(trust, leaked);
      await restartInTurn(scene, stage.services, (service) => fronts.urls(service));
      scene.note(`${fronts.countSecured()} connections over TLS`);
      await change(scene, fronts, trust, leaked, fresh);
    } finally {
      await restartInTurn(scene, stage.services, (service) => plain.get(service) ?? {});
      await fronts.close();
    }
    scene.healing();
  },
};

/** Whoever connects knows both before a server shows the new one, and the old one until then. */
async function change(
  scene: Scene,
  fronts: Fronts,
  trust: string,
  leaked: CertificateAuthority,
  fresh: CertificateAuthority,
): Promise<void> {
  const { stage } = scene;
  writeTrust(trust, leaked, fresh);
  await restartInTurn(scene, stage.services);
  fronts.restart(await issueCertificate(fresh));
  await stage.untilReady();
  await scene.goesOn(GOES_ON_WITHIN_MS);
  scene.note(`${fronts.countSecured()} to the new certificates`);
  writeTrust(trust, fresh);
  await restartInTurn(scene, stage.services);
  await scene.goesOn(GOES_ON_WITHIN_MS);
  const impostor = await Fronts.open(scene, trust, await issueCertificate(leaked));
  try {
    await expectRefused(scene, impostor);
  } finally {
    await impostor.close();
  }
  scene.note('the old authority vouches for nobody any more');
}

/** Asked over config's own ways to its servers: what leads to the right ones works, what leads to an impostor doesn't. */
async function expectRefused({ stage }: Scene, impostor: Fronts): Promise<void> {
  const urls = impostor.urls(stage.of('config')[0]!);
  for (const command of [
    ['parked', 'list'], // of the broker
    ['audit', 'verify'], // of the database
  ]) {
    await operate(stage, ...command);
    const said = await operateWith(stage, urls, ...command).then(
      () => 'nothing against it',
      (error: unknown) => (error as { readonly stderr?: string }).stderr ?? String(error),
    );
    if (!said.includes('the TLS connection to')) throw new Error(`a server with an old certificate: ${said}`);
  }
}

type Urls = Readonly<Record<string, string>>;

/** What a service has of these. */
const urlsOf = ({ env }: Service): Urls =>
  Object.fromEntries(['RABBITMQ_URL', 'DATABASE_URL'].flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** TLS before the broker and before the database, with one certificate. */
class Fronts {
  private constructor(
    private readonly broker: TlsFront,
    private readonly database: TlsFront,
    private readonly trust: string,
  ) {}

  static async open({ stage }: Scene, trust: string, identity: ServerIdentity): Promise<Fronts> {
    const broker = await TlsFront.open(stage.broker.url, 'tls', identity);
    return new Fronts(broker, await TlsFront.open(stage.postgres.url, 'postgres', identity), trust);
  }

  /** The service's own, through these and verified by the file of authorities. */
  urls(service: Service): Urls {
    const { RABBITMQ_URL: broker, DATABASE_URL: database } = urlsOf(service);
    const verified = { sslmode: 'verify-full', sslrootcert: this.trust };
    return {
      ...(broker && { RABBITMQ_URL: this.broker.url('amqps', { cacertfile: this.trust }, new URL(broker)) }),
      ...(database && { DATABASE_URL: this.database.url('postgresql', verified, new URL(database)) }),
    };
  }

  restart(identity: ServerIdentity): void {
    this.broker.restart(identity);
    this.database.restart(identity);
  }

  /** How many connections there were since the last certificate. @throws Error if a server had none */
  countSecured(): number {
    const [broker, database] = [this.broker.secured, this.database.secured];
    if (broker === 0 || database === 0) throw new Error(`${broker} connections to broker and ${database} to database`);
    return broker + database;
  }

  async close(): Promise<void> {
    await Promise.all([this.broker.close(), this.database.close()]);
  }
}
