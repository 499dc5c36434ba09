import { setTimeout as wait } from 'node:timers/promises';
import { WORKSPACE } from '../../load/owner.js';
import { IdentityProvider, type TokenMaker } from '../../stage/identity-provider.js';
import type { Fault, Scene } from '../fault.js';
import { restartInTurn } from './in-turn.js';
import { expectStatus, MadeWithToken, statusOf, type Headers } from './made-with-token.js';

const GOES_ON_WITHIN_MS = 60_000;
/** Config asks for keys that it doesn't know every 30 s at most. */
const TAKEN_WITHIN_MS = 60_000;
/** Each look with a token that is not taken yet counts as a failed one, of which an address has 20 a minute. */
const LOOK_MS = 5_000;

/**
 * The key that signs tokens leaked: the provider signs with another one, and config, restarted, refuses the old one at
 * once. Then the same again without a restart. What the old one made lives on until it is ended.
 */
export const identityKeys: Fault = {
  kind: "the identity provider's keys changed",
  async strike(scene) {
    const configs = scene.stage.of('config');
    const provider = await IdentityProvider.open();
    try {
      await restartInTurn(scene, configs, () => provider.settings);
      await changeAndRestart(scene, provider);
      await changeAndWait(scene, provider);
      await scene.goesOn(GOES_ON_WITHIN_MS);
    } finally {
      // Nobody comes with tokens any more: config needs no restart to do without them.
      for (const config of configs) for (const name of Object.keys(provider.settings)) config.set(name, '');
      await provider.close();
    }
    scene.healing();
  },
};

async function changeAndRestart(scene: Scene, provider: IdentityProvider): Promise<void> {
  const leaked = provider.tokens;
  await expectStatus(scene, 200, bearer(leaked), 'a token of the key that signed');
  const made = await MadeWithToken.make(scene, bearer(leaked));
  provider.changeKey();
  const before = await statusOf(scene, bearer(leaked));
  await restartInTurn(scene, scene.stage.of('config'));
  await expectStatus(scene, 401, bearer(leaked), 'a token of the old key');
  await expectStatus(scene, 200, bearer(provider.tokens), 'a token of the new key');
  scene.note(`the old key was answered with ${before} until config was restarted, with 401 then`);
  await made.end();
}

/** The first token of the new key makes config read the key set again. */
async function changeAndWait(scene: Scene, provider: IdentityProvider): Promise<void> {
  const leaked = provider.tokens;
  provider.changeKey();
  const began = performance.now();
  while ((await statusOf(scene, bearer(provider.tokens))) !== 200) {
    if (performance.now() - began > TAKEN_WITHIN_MS) throw new Error('config does not take the new key');
    await wait(LOOK_MS);
  }
  await expectStatus(scene, 401, bearer(leaked), 'a token of the key before');
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  scene.note(`without a restart the next one counted ${seconds} s later, and the one before no more`);
}

const bearer = (tokens: TokenMaker): Headers => ({ authorization: `Bearer ${tokens(WORKSPACE)}` });
