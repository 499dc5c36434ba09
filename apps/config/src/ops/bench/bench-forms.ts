import { randomBytes } from 'node:crypto';
import type { EndpointDto } from '@form-webhooks/http-api';
import type { ApiClient } from '../api-client.js';
import { EXIT, OpsFailure } from '../ops-command.js';

/** All events are of it, so that one erasure removes what was stored of a form. */
export const SUBMISSION = 's_bench';
const WORKSPACE = 'ws_bench';

/** Forms that exist for one measurement, each with one endpoint. */
export class BenchForms {
  private readonly made: string[] = [];

  constructor(
    private readonly api: ApiClient,
    private readonly url: string,
  ) {}

  get ids(): readonly string[] {
    return this.made;
  }

  /**
   * @param signal once it is aborted no more are made
   * @param onMade is told of each as soon as it stands
   * @throws OpsFailure if dispatchers may not reach the receiver, or do not
   */
  async make(count: number, signal: AbortSignal, onMade: (id: string) => void): Promise<void> {
    const run = randomBytes(5).toString('hex');
    for (let n = 1; n <= count && !signal.aborted; n += 1) {
      const id = `f_bench_${run}_${n}`;
      await this.api.call('PUT', `/v1/forms/${id}`, { workspace_id: WORKSPACE, name: 'Measurement by the operator' });
      this.made.push(id);
      onMade(id);
      await this.makeEndpoint(id);
    }
  }

  private async makeEndpoint(formId: string): Promise<void> {
    const url = new URL(formId, this.url).href;
    try {
      await this.api.call<EndpointDto>('POST', `/v1/forms/${formId}/endpoints`, { url });
    } catch (error) {
      if (!(error instanceof OpsFailure)) throw error;
      throw new OpsFailure(
        `dispatchers can't deliver to ${this.url}: ${error.message}`,
        'give a --url that leads here from every dispatcher: https, a certificate that they trust (EGRESS_CA_FILE), an ' +
          'address and a port that EGRESS_ALLOW and EGRESS_PORTS let through',
        EXIT.unable,
        'docs/ops.md#bench',
      );
    }
  }

  /** Removes them and what was stored of their events. @returns those that could not be removed */
  async remove(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const id of this.made) {
      try {
        await this.api.call('DELETE', `/v1/forms/${id}/submissions/${SUBMISSION}/data`);
        await this.api.call('DELETE', `/v1/forms/${id}`);
      } catch {
        left.push(id);
      }
    }
    return left;
  }
}
