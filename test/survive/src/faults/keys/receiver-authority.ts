import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CertificateAuthority } from '@form-webhooks/local';
import { WORKSPACE } from '../../load/owner.js';
import { certificateOf } from '../../receivers/receivers.js';
import type { Fault, Scene } from '../fault.js';
import { freshAuthority, writeTrust } from './authorities.js';
import { callConfig } from './config-api.js';
import { restartInTurn } from './in-turn.js';

const GOES_ON_WITHIN_MS = 60_000;
/** Has no events: what is tried with it concerns no delivery. */
const FORM = 'f_impostor';

/**
 * The authority in `EGRESS_CA_FILE` leaked: dispatchers trust another one besides, receivers get certificates of that one,
 * and dispatchers the old one no more, as docs/key-compromise.md has it.
 */
export const receiverAuthority: Fault = {
  kind: "the authority of receivers' certificates changed",
  async strike(scene) {
    const { stage } = scene;
    const leaked = stage.authority;
    const fresh = await freshAuthority(stage);
    const both = join(stage.folder, 'trusted-receivers.pem');
    const trusting = (file: string): Promise<void> =>
      restartInTurn(scene, stage.of('dispatcher'), () => ({ EGRESS_CA_FILE: file }));
    writeTrust(both, leaked, fresh);
    await trusting(both);
    await stage.receivers.present(fresh);
    await scene.goesOn(GOES_ON_WITHIN_MS);
    await trusting(fresh.certificateFile);
    // Of dispatchers that are added later, too.
    stage.authority = fresh;
    await scene.goesOn(GOES_ON_WITHIN_MS);
    await expectRefused(scene, leaked);
    scene.note('the old authority vouches for no receiver any more');
    scene.healing();
  },
};

/** A URL is checked by the dispatchers, under the rules of deliveries. */
async function expectRefused(scene: Scene, leaked: CertificateAuthority): Promise<void> {
  const { cert, key } = await certificateOf(leaked);
  const impostor = createServer({ cert, key }, (_request, response) => response.end());
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = impostor.address() as AddressInfo;
    await callConfig(scene, 'PUT', `/v1/forms/${FORM}`, { workspace_id: WORKSPACE, name: FORM });
    const said = await callConfig(scene, 'POST', `/v1/forms/${FORM}/endpoints`, {
      url: `https://localhost:${port}/`,
    }).then(
      () => 'nothing against it',
      (error: unknown) => (error as Error).message,
    );
    if (!said.includes('"code":"tls"')) throw new Error(`a receiver with an old certificate: ${said}`);
  } finally {
    impostor.closeAllConnections();
    await new Promise((resolve) => impostor.close(resolve));
  }
}
