import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export interface IssueOptions {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  /** The subject; default `CN=receiver`. */
  readonly subject?: string;
  /** Days from now; negative for the past. */
  readonly validFrom?: number;
  readonly validTo?: number;
}

/** A private certificate authority for one test file. */
export class CertificateAuthority {
  private constructor(
    readonly pem: string,
    private readonly name: string,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {}

  static async create(name = 'CN=Test CA'): Promise<CertificateAuthority> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name,
      keys: keys as never,
      signingAlgorithm: ALGORITHM,
      notBefore: inDays(-1),
      notAfter: inDays(10),
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new CertificateAuthority(certificate.toString('pem'), name, keys);
  }

  async issue(options: IssueOptions): Promise<Identity> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: options.subject ?? 'CN=receiver',
      issuer: this.name,
      publicKey: keys.publicKey as never,
      signingKey: this.keys.privateKey as never,
      signingAlgorithm: ALGORITHM,
      notBefore: inDays(options.validFrom ?? -1),
      notAfter: inDays(options.validTo ?? 10),
      extensions: alternativeNames(options),
    });
    return identity(certificate, keys);
  }
}

export async function selfSigned(options: IssueOptions): Promise<Identity> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=receiver',
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    notBefore: inDays(-1),
    notAfter: inDays(10),
    extensions: alternativeNames(options),
  });
  return identity(certificate, keys);
}

const generateKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function identity(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<Identity> {
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(der, 'PRIVATE KEY') };
}

function alternativeNames({ names = [], addresses = [] }: IssueOptions): x509.Extension[] {
  if (names.length + addresses.length === 0) return [];
  return [
    new x509.SubjectAlternativeNameExtension([
      ...names.map((value) => ({ type: 'dns' as const, value })),
      ...addresses.map((value) => ({ type: 'ip' as const, value })),
    ]),
  ];
}

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
