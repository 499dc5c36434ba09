import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, type CertificateAuthority, type IssuedCertificate } from '@form-webhooks/local';
import type { BehaviourName } from './behaviours.js';
import type { FromReceivers, ToReceivers } from './receiver-messages.js';

/** Compiled code only: this file may run from its source, under a test runner, but a process of its own can't. */
const PROGRAM = join(import.meta.dirname, '../../dist/receivers/receiver-process.js');

/** The suite's side of the receivers' process. */
export class Receivers {
  private readonly heard = new EventEmitter();
  private ports: Readonly<Record<BehaviourName, number>> | undefined;
  private ending = false;
  /** Why the run can't be judged, if the process ended by itself. */
  failure: string | undefined;

  private constructor(
    private readonly child: ChildProcess,
    readonly recordFile: string,
  ) {
    this.heard.setMaxListeners(0);
    child.on('message', (message: FromReceivers) => this.heard.emit(message.kind, message));
    child.on('exit', (code, signal) => {
      if (!this.ending) this.failure = `the receivers' process ended by itself (${signal ?? code})`;
    });
  }

  static async start(authority: CertificateAuthority, recordFile: string): Promise<Receivers> {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run \`npm run build\` first`);
    const { cert, key } = await certificateOf(authority);
    const receivers = new Receivers(fork(PROGRAM, { stdio: 'inherit', execArgv: [] }), recordFile);
    const opened = receivers.next('opened');
    receivers.tell({ kind: 'open', cert, key, recordFile });
    receivers.ports = (await opened).ports;
    return receivers;
  }

  /** All of them get certificates of this authority; connections that stand go on with the one before. */
  async present(authority: CertificateAuthority): Promise<void> {
    const { cert, key } = await certificateOf(authority);
    const presented = this.next('presented');
    this.tell({ kind: 'present', cert, key });
    await presented;
  }

  urlOf(behaviour: BehaviourName, path: string): string {
    return `https://localhost:${this.ports![behaviour]}${path}`;
  }

  expectSignature(path: string, secret: string): void {
    this.tell({ kind: 'secret', path, secret });
  }

  /** Calls back for each POST to the path that was answered with a 2xx, with its event's marker. */
  watch(path: string, onArrival: (marker: number) => void): void {
    this.tell({ kind: 'watch', path });
    this.heard.on('arrived', (message: FromReceivers & { kind: 'arrived' }) => {
      if (message.path === path) onArrival(message.marker);
    });
  }

  async count(): Promise<{ readonly posts: number; readonly answered2xx: number }> {
    const counted = this.next('counted');
    this.tell({ kind: 'count' });
    return counted;
  }

  /** Resolves once everything seen so far is in the record's file. */
  async flush(): Promise<void> {
    const flushed = this.next('flushed');
    this.tell({ kind: 'flush' });
    await flushed;
  }

  stop(): void {
    this.ending = true;
    if (this.child.connected) this.child.disconnect();
  }

  private async next<K extends FromReceivers['kind']>(kind: K): Promise<FromReceivers & { kind: K }> {
    const [message] = (await once(this.heard, kind)) as [FromReceivers & { kind: K }];
    return message;
  }

  private tell(message: ToReceivers): void {
    if (this.child.connected) this.child.send(message);
  }
}

/** For whoever is reached as the receivers are. */
export const certificateOf = (authority: CertificateAuthority): Promise<IssuedCertificate> =>
  issueCertificate(authority, { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] });
