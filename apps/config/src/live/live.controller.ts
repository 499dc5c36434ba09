import { Get, Headers, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LIVE_TOPICS } from '@form-webhooks/http-api';
import { whenOver } from '@form-webhooks/http-edge';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { credentialsOf } from './credentials.js';
import { LiveStreams } from './live-streams.js';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
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
  @ApiOkResponse({
    description:
      'The events `open` and `changed` with `{at, topics}`, and `end` with `{reason}`. ' +
      `The topics say what to read again: ${LIVE_TOPICS.join(', ')}`,
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @Answers(503, 'No more streams can be opened now (`live_unavailable`)')
  watch(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    // Fastify answers HEAD by what answers GET; nobody waits for a body there.
    if (reply.request.method === 'HEAD') return void reply.headers(STREAM_HEADERS).send();
    const name = `${caller.workspaceId ?? ''}:${caller.actor}`;
    const leave = this.streams.takePlace(name);
    whenOver(reply.raw, leave);
    reply.hijack();
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
    const asked = {
      formId: form.id,
      credentialEndsAt: caller.expiresAt,
      credentials: credentialsOf(caller),
      isReopened: lastEventId !== undefined,
    };
    whenOver(reply.raw, this.streams.begin(asked, outletOf(reply)));
  }
}

const outletOf = ({ raw }: FastifyReply) => ({
  write: (text: string): number => {
    raw.write(text);
    return raw.writableLength;
  },
  end: (text: string): void => void raw.end(text),
  // The stream has no connection of its own while it waits behind another answer.
  destroy: (): void => void raw.req.socket.destroy(),
});
