/** Linux takes no longer argument than 128 KiB on a command line. */
const MAX_BODY_BYTES = 100 * 1024;

/** curl writes these itself, for the connection that it makes. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/**
 * A POSIX shell command that sends an attempt's request again, byte for byte (without `--globoff` curl would take
 * brackets and braces in a URL for patterns); null if the body is too long for one. By then the signature's timestamp is
 * old, and a receiver that checks it will say so.
 */
export function curlLine(url: string, headers: Readonly<Record<string, string>>, body: string): string | null {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) return null;
  const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  return [
    `curl --globoff --request POST ${quote(url)}`,
    ...sent.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    `--data-binary ${quote(body)}`,
  ].join(' \\\n  ');
}

/** Within single quotes the shell leaves everything as it is but the quote itself. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
