import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TokenSettings } from '../../../../apps/config/src/access/tokens/token-settings.js';
import { createTokenVerifier, type TokenVerifier } from '../../../../apps/config/src/access/tokens/token-verifier.js';
import { IdentityProvider } from './identity-provider.js';

let provider: IdentityProvider;

beforeEach(async () => {
  provider = await IdentityProvider.open();
});
afterEach(() => provider.close());

/** As a config that was just started. */
function config(): TokenVerifier {
  const { JWT_JWKS_URL: jwtJwksUrl, JWT_ISSUER: jwtIssuer, JWT_AUDIENCE: jwtAudience } = provider.settings;
  return createTokenVerifier({ jwtJwksUrl, jwtIssuer, jwtAudience, jwtJwksAllow: [] } as unknown as TokenSettings);
}

it('signs tokens that config takes, and with another key none of the key before', async () => {
  const leaked = provider.tokens;
  const asked = await config().verify(leaked('ws_one'), '192.0.2.1');
  expect(asked).toMatchObject({ actor: 'user:ada', workspaceId: 'ws_one' });
  provider.changeKey();
  const restarted = config();
  expect(await restarted.verify(leaked('ws_one'), '192.0.2.1')).toBeUndefined();
  expect(await restarted.verify(provider.tokens('ws_one'), '192.0.2.1')).toBeDefined();
});
