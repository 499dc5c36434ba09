import { Body, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { CreateReplayDto, PageQueryDto, ReplayDto, ReplayListDto, ReplayPreviewDto } from '@form-webhooks/http-api';
import type { FastifyReply } from 'fastify';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController, WITH_LOCATION } from '../http/documented.js';
import { LINKS_OF_REPLAY } from '../http/openapi/links.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { ReplayJobs } from './replay-jobs.js';

@ApiController('forms/:form_id/replays', 'deliveries')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form or replay')
export class ReplaysController {
  constructor(private readonly jobs: ReplayJobs) {}

  @Post('preview')
  @HttpCode(200)
  @Scopes('deliveries:replay')
  @ApiOperation({ operationId: 'preview_replay', summary: 'How many deliveries a replay would send again' })
  @ApiOkResponse({ type: ReplayPreviewDto })
  async preview(@FormInPath() form: Form, @Body() body: CreateReplayDto): Promise<ReplayPreviewDto> {
    return { matched: await this.jobs.preview(form, body) };
  }

  @Post()
  @HttpCode(202)
  @Scopes('deliveries:replay')
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'create_replay',
    summary: 'Replays every delivery that matches, or is named, in the background',
  })
  @ApiAcceptedResponse({ type: ReplayDto, headers: WITH_LOCATION, links: LINKS_OF_REPLAY })
  async create(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Body() body: CreateReplayDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayDto> {
    const job = await this.jobs.create(caller, form, body);
    reply.header('location', `/v1/forms/${form.id}/replays/${job.id}`);
    return job;
  }

  @Get()
  @Scopes('deliveries:read')
  @ApiOperation({ operationId: 'list_replays', summary: 'The replays of a form, newest first' })
  @ApiOkResponse({ type: ReplayListDto })
  list(@FormInPath() form: Form, @Query() query: PageQueryDto): Promise<ReplayListDto> {
    return this.jobs.list(form, query);
  }

  @Get(':replay_id')
  @Scopes('deliveries:read')
  @ApiOperation({ operationId: 'get_replay', summary: 'How far a replay is' })
  @ApiOkResponse({ type: ReplayDto })
  get(@FormInPath() form: Form, @Param('replay_id') id: string): Promise<ReplayDto> {
    return this.jobs.find(form, id);
  }

  @Delete(':replay_id')
  @Scopes('deliveries:replay')
  @ApiOperation({ operationId: 'cancel_replay', summary: 'Ends a replay; what it has sent is not taken back' })
  @ApiOkResponse({ type: ReplayDto })
  cancel(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('replay_id') id: string,
  ): Promise<ReplayDto> {
    return this.jobs.cancel(caller, form, id);
  }
}
