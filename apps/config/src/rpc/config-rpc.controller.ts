import { MessagePattern } from '@nestjs/microservices';
import { MessageController, QUEUES, rpcPattern } from '@form-webhooks/broker';
import {
  DELIVERY_ID_PATTERN,
  ENDPOINT_ID_PATTERN,
  FORM_ID_PATTERN,
  isMoment,
  SUBMISSION_ID_PATTERN,
  type FormId,
  type SubmissionId,
} from '@form-webhooks/domain';
import {
  formEndpointsText,
  MAX_DELIVERIES_ASKED,
  type ApiKeyReply,
  type ApiKeyRequest,
  type DeletedEndpointReply,
  type DeletedEndpointRequest,
  type ErasedSubmissionReply,
  type ErasedSubmissionRequest,
  type FormEndpointsReply,
  type FormEndpointsRequest,
  type KnownDeliveriesReply,
  type KnownDeliveriesRequest,
} from '@form-webhooks/messages';
import { DataSource, findKnownDeliveries, isErased, snapshotForm, wasEndpointDeleted } from '@form-webhooks/storage';
import { ConfigSettings } from '../settings.js';
import { KeyAnswers } from './key-answers.js';

/** Erased submissions that an answer lists: some 60 KB. Of the others dispatchers ask one by one. */
const MAX_ERASURES_LISTED = 1_000;

/** What the other services ask: small questions, asked often, each one statement. */
@MessageController()
export class ConfigRpcController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: KeyAnswers,
    private readonly settings: ConfigSettings,
  ) {}

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'form_endpoints'))
  async formEndpoints(request: FormEndpointsRequest): Promise<FormEndpointsReply> {
    if (!FORM_ID_PATTERN.test(request.form_id)) throw new Error('form_endpoints was asked about no form id');
    const form = await snapshotForm(this.dataSource, request.form_id, MAX_ERASURES_LISTED);
    const reply = {
      registered: form.registered,
      deleted: form.deleted,
      workspace_id: form.workspaceId,
      ...(form.paused ? { paused: true } : {}),
      endpoints: form.endpoints,
      erased_submissions: form.erasedSubmissions,
      erasures_listed_since: form.erasuresCutOff ? null : 0,
      now: Date.now(),
    };
    return { ...reply, voucher: this.settings.sealing.keyRing.vouch(formEndpointsText(request.form_id, reply)) };
  }

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'erased_submission'))
  async erasedSubmission(request: ErasedSubmissionRequest): Promise<ErasedSubmissionReply> {
    const { form_id: formId, submission_id: submissionId } = request;
    if (!FORM_ID_PATTERN.test(formId) || !SUBMISSION_ID_PATTERN.test(submissionId)) {
      throw new Error('erased_submission was asked about what is no submission');
    }
    const key = { formId: formId as FormId, submissionId: submissionId as SubmissionId };
    return { erased: await isErased(this.dataSource.manager, key) };
  }

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'deleted_endpoint'))
  async deletedEndpoint(request: DeletedEndpointRequest): Promise<DeletedEndpointReply> {
    const { form_id: formId, endpoint_id: endpointId } = request;
    if (!FORM_ID_PATTERN.test(formId) || !ENDPOINT_ID_PATTERN.test(endpointId)) {
      throw new Error('deleted_endpoint was asked about what is no endpoint');
    }
    return { deleted: await wasEndpointDeleted(this.dataSource.manager, formId, endpointId) };
  }

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'known_deliveries'))
  async knownDeliveries({ deliveries }: KnownDeliveriesRequest): Promise<KnownDeliveriesReply> {
    if (!isListOfDeliveries(deliveries))
      throw new Error('known_deliveries was asked about what is no list of deliveries');
    const asked = deliveries.map(({ delivery_id, accepted_at }) => ({
      deliveryId: delivery_id,
      acceptedAt: accepted_at,
    }));
    const known = await findKnownDeliveries(this.dataSource.manager, asked);
    return {
      known: known.map(({ deliveryId, isFinal, ...position }) => ({
        delivery_id: deliveryId,
        ...position,
        is_final: isFinal,
      })),
    };
  }

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'api_key'))
  async apiKey(request: ApiKeyRequest): Promise<ApiKeyReply> {
    return { ...(await this.keys.answer(request)), now: Date.now() };
  }
}

const isListOfDeliveries = (asked: KnownDeliveriesRequest['deliveries']): boolean =>
  Array.isArray(asked) && asked.length <= MAX_DELIVERIES_ASKED && asked.every(isAsked);

const isAsked = ({ delivery_id, accepted_at }: KnownDeliveriesRequest['deliveries'][number]): boolean =>
  DELIVERY_ID_PATTERN.test(delivery_id) && isMoment(accepted_at);
