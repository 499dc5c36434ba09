import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Base64 has no dash: a beginning without an end is passed over at the next one, and not read on to the file's end. */
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The one TLS context of all connections. Handing a whole bundle to each connection instead would parse it each time:
 * 8.6 ms of CPU per connection against 0.4 ms.
 * @param extraRoots PEM certificates trusted besides the default roots; empty text adds none
 * @throws RangeError if one is not readable, or there is none in the text
 */
export function createTrust(extraRoots = ''): SecureContext {
  const extra = readCertificates(extraRoots);
  const ca = extra.length === 0 ? {} : { ca: [...rootCertificates, ...extra] };
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca });
}

/**
 * The PEM certificates in a text; none in an empty one. OpenSSL skips what it can't read, and the receivers it was meant
 * for would fail one by one later.
 * @throws RangeError if one is not readable, or there is none in the text
 */
export function readCertificates(text: string): string[] {
  if (text.trim() === '') return [];
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw new RangeError('the extra root certificates hold no PEM certificate (-----BEGIN CERTIFICATE-----)');
  }
  for (const [index, pem] of certificates.entries()) {
    try {
      new X509Certificate(pem);
    } catch (error) {
      throw new RangeError(`extra root certificate ${index + 1} is not readable: ${(error as Error).message}`);
    }
  }
  return certificates;
}
