import type { EndpointDto } from '@form-webhooks/http-api';
import { ApiClient } from '../api-client.js';
import { EXIT, type ExitCode, type OpsCall } from '../ops-command.js';

/** Switches an endpoint off or on, as its owner would; on also if it is off because its receiver was gone. */
export async function switchEndpoint({ installation, output, args }: OpsCall, enabled: boolean): Promise<ExitCode> {
  const [formId, endpointId] = args.map(encodeURIComponent);
  const path = `/v1/forms/${formId}/endpoints/${endpointId}`;
  const endpoint = await new ApiClient(installation).call<EndpointDto>('PATCH', path, { enabled });
  const { id, disabled_reason } = endpoint;
  const state = endpoint.enabled ? 'on' : `off (${disabled_reason ?? 'by its owner'})`;
  output.result({ id, enabled: endpoint.enabled, disabled_reason }, [`${id} is ${state}`]);
  return EXIT.fine;
}
