import 'reflect-metadata'; // the certificate library's dependency injection wants it first
import * as x509 from '@peculiar/x509';
import { randomBytes, webcrypto } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { LocalFailure, reasonOf } from '../failure.js';
import { makePrivateFolder, readIfThere, writePrivateFile } from './files.js';

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** Longer-lived ones are refused by some TLS clients, whoever issued them. */
const SERVER_DAYS = 390;

/** A certificate authority of our own, trusted only by what is told to (`EGRESS_CA_FILE`). */
export interface CertificateAuthority {
  readonly certificate: x509.X509Certificate;
  readonly privateKey: webcrypto.CryptoKey;
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface CertificateRequest {
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** Default: an hour ago, as clocks differ. */
  readonly notBefore?: Date;
  /** Default: 390 days after its begin. */
  readonly notAfter?: Date;
}

/** PEM texts, as `https.createServer` takes them. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
  /** The authority's certificate, for clients. */
  readonly ca: string;
}

/**
 * For whom a certificate is issued when nobody is named: what reaches this machine without a name server. (Node's client
 * takes no wildcard directly under a top-level name: to be reached as `a.localhost` by it, ask for that name.)
 */
const LOCAL_HOSTS = { dnsNames: ['localhost', '*.localhost'], ipAddresses: ['127.0.0.1', '::1'] } as const;

/** Loads the authority kept in a folder (`ca.pem`, `ca-key.pem`), or makes one there. */
export async function ensureAuthority(folder: string): Promise<CertificateAuthority> {
  const [certificateFile, keyFile] = [join(folder, 'ca.pem'), join(folder, 'ca-key.pem')];
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    const authority = await loadAuthority(certificateFile, keyFile);
    if (authority.certificate.notAfter.getTime() > Date.now() + DAY_MS) return authority;
  }
  makePrivateFolder(folder);
  const keys = await newKeys();
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    // The names of two authorities must differ, or a client that knows both may try the wrong one.
    name: `CN=form-webhooks local authority ${randomBytes(4).toString('hex')}`,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  writePrivateFile(keyFile, await keyToPem(keys.privateKey));
  writePrivateFile(certificateFile, `${certificate.toString('pem')}\n`);
  chmodSync(certificateFile, 0o644); // public by nature
  return { certificate, privateKey: keys.privateKey, certificateFile, keyFile };
}

/**
 * The authority in two PEM files, as `.local/stack.json` names them.
 * @throws LocalFailure if they can't be read as such
 */
export async function loadAuthority(certificateFile: string, keyFile: string): Promise<CertificateAuthority> {
  try {
    const certificate = new x509.X509Certificate(readIfThere(certificateFile) ?? '');
    const der = x509.PemConverter.decodeFirst(readIfThere(keyFile) ?? '');
    const privateKey = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign']);
    return { certificate, privateKey, certificateFile, keyFile };
  } catch (thrown) {
    throw new LocalFailure(
      `The local certificate authority in ${certificateFile} and ${keyFile} can't be read: ${reasonOf(thrown)}.`,
      'Remove both files; the next start makes new ones.',
    );
  }
}

/** Issues a server certificate with a key of its own; without names for `localhost` and the loopback's addresses. */
export async function issueCertificate(
  authority: CertificateAuthority,
  request: CertificateRequest = LOCAL_HOSTS,
): Promise<IssuedCertificate> {
  const keys = await newKeys();
  const notBefore = request.notBefore ?? new Date(Date.now() - 3_600_000);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=form-webhooks local server',
    issuer: authority.certificate.subject,
    notBefore,
    notAfter: request.notAfter ?? new Date(notBefore.getTime() + SERVER_DAYS * DAY_MS),
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternativeNames(request)),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
    ],
  });
  const ca = `${authority.certificate.toString('pem')}\n`;
  return { cert: `${certificate.toString('pem')}\n`, key: await keyToPem(keys.privateKey), ca };
}

const alternativeNames = (request: CertificateRequest): x509.JsonGeneralName[] => [
  ...(request.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
  ...(request.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
];

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Positive and never twice: clients remember the pair of issuer and serial number. */
const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`;

const keyToPem = async (key: webcrypto.CryptoKey): Promise<string> =>
  `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
