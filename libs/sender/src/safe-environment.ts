/**
 * Refuses to run where the environment would switch off the verification of receivers' certificates. Proxy variables
 * need no check: neither got nor the agent reads them.
 * @throws Error that says what to change
 */
export function assertSafeEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new Error(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of every receiver’s certificate; unset it. ' +
        'To trust a private certificate authority, name its file in EGRESS_CA_FILE.',
    );
  }
}
