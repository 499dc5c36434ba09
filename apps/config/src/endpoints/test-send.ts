import { Injectable } from '@nestjs/common';
import { randomEventId, randomId, type EndpointId, type FormId, type SubmissionId } from '@form-webhooks/domain';
import { tooManyRequests } from '@form-webhooks/http-edge';
import type { AcceptedTestDto, TestWarningDto } from '@form-webhooks/http-api';
import { firstDelivery, type DeliveryMessage } from '@form-webhooks/messages';
import {
  DataSource,
  findEndpoint,
  insertTestDelivery,
  type Actor,
  type Endpoint,
  type Form,
} from '@form-webhooks/storage';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { Changes } from '../changes/changes.js';
import { notFound } from '../http/problems.js';
import { EndpointSettings } from './endpoint-settings.js';
import { sampleTail, type Sample } from './sample-event.js';

/** Sends a sample to one endpoint alone, also when it is disabled: one attempt, outside the statistics. */
@Injectable()
export class TestSend {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly limiter: RateLimiter,
    private readonly settings: EndpointSettings,
  ) {}

  /**
   * @returns the id under which the delivery log has it at once, and what a real event would meet
   * @throws Problem 404, 429
   */
  async send(by: Actor, form: Form, endpointId: string, sample: Sample): Promise<AcceptedTestDto> {
    const endpoint = await findEndpoint(this.dataSource.manager, form, endpointId);
    if (!endpoint) throw notFound('endpoint');
    await this.takeTurn(form.workspaceId);
    return this.changes.commit(by, async (change) => {
      const message = sampleDelivery(endpoint, sample, change.at.getTime());
      await insertTestDelivery(change.tx, message);
      await change.deliver(message);
      return { delivery_id: message.deliveryId, warnings: warningsOf(endpoint, sample) };
    });
  }

  private async takeTurn(workspaceId: string): Promise<void> {
    const { testSendsPerMinute } = this.settings;
    const limit = { capacity: testSendsPerMinute, periodSeconds: 60 };
    const waitSeconds = await this.limiter.take(`tests:${workspaceId}`, limit);
    if (waitSeconds === 0) return;
    throw tooManyRequests(
      waitSeconds * 1_000,
      `A workspace may send ${testSendsPerMinute} tests a minute.`,
      'too_many_per_workspace',
    );
  }
}

/** A test that arrives must not make its owner believe that events will. */
function warningsOf({ enabled, events }: Endpoint, { event }: Sample): TestWarningDto[] {
  const warnings: TestWarningDto[] = [];
  if (!enabled) {
    warnings.push({
      code: 'endpoint_disabled',
      message: 'The endpoint is switched off: it gets no events, only tests.',
    });
  }
  if (!events.includes(event)) {
    warnings.push({
      code: 'event_not_selected',
      message: `The endpoint is not subscribed to ${event}: it gets no such event.`,
    });
  }
  return warnings;
}

function sampleDelivery(endpoint: Endpoint, sample: Sample, now: number): DeliveryMessage {
  const formId = endpoint.formId as FormId;
  const submissionId = randomId('s_test') as SubmissionId;
  const tail = sampleTail(sample, formId, submissionId);
  const event = { event: sample.event, eventId: randomEventId(), formId, submissionId, acceptedAt: now, tail };
  return firstDelivery(event, endpoint.id as EndpointId, { startedAt: now, trigger: 'test' });
}
