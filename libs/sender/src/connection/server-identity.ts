import { isIP } from 'node:net';
import { checkServerIdentity as matchNames, type PeerCertificate } from 'node:tls';

/** The certificate names no host, so it can be nobody's. */
export class NoHostNamed extends Error {
  constructor() {
    super('the certificate has no DNS name');
  }
}

const DNS_NAME = /(?:^|, )DNS:/;

/**
 * Whether a certificate is for this host. Node takes the common name where a certificate has no DNS name; that field is
 * for people (RFC 9525, 6.3) and an authority may not have checked it, so such a certificate is refused.
 */
export function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (isIP(host) === 0 && !DNS_NAME.test(certificate.subjectaltname ?? '')) return new NoHostNamed();
  return matchNames(host, certificate);
}
