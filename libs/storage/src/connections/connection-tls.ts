/** The driver knows more, and some of them encrypt without looking at the certificate, or only if they may. */
const MODES: readonly (string | null)[] = [null, 'disable', 'verify-full'];

/**
 * Refuses a database URL whose words about TLS would not keep anybody out: the certificate and the host's name are
 * verified (`sslmode=verify-full`, with `sslrootcert` for a PEM file of authorities instead of the well-known ones), or
 * there is no TLS. The driver itself reads the parameters.
 * @throws RangeError
 */
export function checkConnectionTls(url: string): void {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (!MODES.includes(mode)) throw new RangeError(`sslmode is verify-full or disable, not "${mode}"`);
  // The driver takes the last of several.
  if (searchParams.getAll('sslmode').length > 1) throw new RangeError('sslmode stands there more than once');
  if (searchParams.has('ssl')) throw new RangeError('write sslmode=verify-full instead of ssl');
  if (searchParams.has('uselibpqcompat')) throw new RangeError('uselibpqcompat weakens sslmode; leave it out');
  if (mode !== 'verify-full' && searchParams.has('sslrootcert')) {
    throw new RangeError('sslrootcert needs sslmode=verify-full');
  }
}
