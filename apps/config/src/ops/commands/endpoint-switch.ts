import type { EndpointDto } from '@form-webhooks/http-api';
import { ApiClient } from '../api-client.js';
import { EXIT, type ExitCode, type OpsCall, type OpsCommand } from '../ops-command.js';

const TAKES = ['form_id', 'endpoint_id'];

/** Switches an endpoint off. */
export const PAUSE: OpsCommand = {
  name: 'pause',
  takes: TAKES,
  summary: 'switches an endpoint off: nothing is sent to it until `resume`',
  notes: [
    'Events that come meanwhile make no delivery for it. What waits is cancelled (endpoint_disabled) when it falls due,',
    'and can be sent later: replay <form_id> --state cancelled --endpoint <endpoint_id> --yes.',
  ],
  run: (call) => switchTo(call, false),
};

/** Switches it on again. */
export const RESUME: OpsCommand = {
  name: 'resume',
  takes: TAKES,
  summary: 'switches an endpoint on again, also one that was switched off because its receiver was gone',
  run: (call) => switchTo(call, true),
};

async function switchTo({ installation, output, args }: OpsCall, enabled: boolean): Promise<ExitCode> {
  const [formId, endpointId] = args.map(encodeURIComponent);
  const path = `/v1/forms/${formId}/endpoints/${endpointId}`;
  const endpoint = await new ApiClient(installation).call<EndpointDto>('PATCH', path, { enabled });
  const { id, disabled_reason } = endpoint;
  const state = endpoint.enabled ? 'on' : `off (${disabled_reason ?? 'by its owner'})`;
  output.result({ id, enabled: endpoint.enabled, disabled_reason }, [`${id} is ${state}`]);
  return EXIT.fine;
}
