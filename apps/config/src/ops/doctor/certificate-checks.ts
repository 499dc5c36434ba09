import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { fine, unknown, wrong, type Finding } from './finding.js';

const DAY_MS = 86_400_000;
/** So long before its end a certificate is to be renewed. */
const SOON_DAYS = 14;
const HANDSHAKE_WITHIN_MS = 5_000;
const IN_PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Where certificates are: servers that are spoken to over TLS, files of authorities. */
export interface CertificatePlaces {
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  readonly files: readonly string[];
}

/** When the certificates end that the installation uses. None, if it uses none that can be looked at. */
export async function checkCertificates({ servers, files }: CertificatePlaces, now: number): Promise<Finding[]> {
  const ofServers = servers.map(async ({ host, port }) => {
    const place = `${host}:${port}`;
    try {
      return judgeCertificate(place, await endOf(host, port), now);
    } catch (error) {
      return unknown('certificates', `that of ${place} can not be looked at: ${(error as Error).message}`);
    }
  });
  return [...(await Promise.all(ofServers)), ...files.flatMap((file) => inFile(file, now))];
}

/** Whether a certificate has ended, or soon does; ms since the epoch. */
export function judgeCertificate(place: string, endsAt: number, now: number): Finding {
  const days = Math.floor((endsAt - now) / DAY_MS);
  const end = new Date(endsAt).toISOString();
  if (days >= SOON_DAYS) return fine('certificates', `that of ${place} ends at ${end}`);
  return wrong('certificates', {
    what: `that of ${place} ${endsAt < now ? 'has ended' : 'ends'} at ${end}`,
    repair: 'renew it, and restart what serves it; a file of authorities is read at the start of the services',
  });
}

function inFile(file: string, now: number): Finding[] {
  try {
    const ends = (readFileSync(file, 'utf8').match(IN_PEM) ?? []).map((pem) =>
      Date.parse(new X509Certificate(pem).validTo),
    );
    if (ends.length === 0) throw new Error('it holds no certificate');
    return [judgeCertificate(file, Math.min(...ends), now)];
  } catch (error) {
    return [unknown('certificates', `${file} can not be read: ${(error as Error).message}`)];
  }
}

/** Looks at what the server presents, and sends nothing: so one that has ended is looked at as well. */
function endOf(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: /[a-z]/i.test(host) ? host : '', rejectUnauthorized: false });
    socket.setTimeout(HANDSHAKE_WITHIN_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      socket.destroy();
      resolve(Date.parse(valid_to));
    });
  });
}
