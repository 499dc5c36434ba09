import { Get, Headers, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LiveChangeDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { LiveStreams } from './live-streams.js';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies that gather answers would keep every event until the stream ends.
  'x-accel-buffering': 'no',
};

@ApiController('forms/:form_id/live', 'live updates')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form')
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  @Get()
  @Scopes('endpoints:read', 'deliveries:read')
  @ApiOperation({
    operationId: 'watch_form',
    summary: 'Server-sent events that say what of a form to read again; poll where there are none',
  })
  @ApiHeader({ name: 'last-event-id', required: false, description: 'Sent by browsers that open a stream again' })
  @ApiExtraModels(LiveChangeDto)
  @ApiOkResponse({
    description: 'The events `open`, `changed` (both with a `LiveChangeDto`) and `end` (with a `reason`)',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @Answers(503, 'No more streams can be opened now (`live_unavailable`)')
  watch(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const name = `${caller.workspaceId ?? ''}:${caller.actor}`;
    const leave = this.streams.takePlace(name);
    reply.raw.once('close', leave);
    reply.hijack();
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
    const asked = {
      formId: form.id,
      credentialEndsAt: caller.expiresAt,
      isReopened: lastEventId !== undefined,
    };
    const forget = this.streams.begin(asked, outletOf(reply));
    reply.raw.once('close', forget);
    // The connection may be gone before anyone waits for its end.
    if (reply.raw.destroyed) [leave, forget].forEach((act) => act());
  }
}

const outletOf = ({ raw }: FastifyReply) => ({
  write: (text: string): number => {
    raw.write(text);
    return raw.writableLength;
  },
  end: (text: string): void => void raw.end(text),
  destroy: (): void => void raw.destroy(),
});
