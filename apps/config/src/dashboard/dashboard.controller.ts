import { Body, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  CreateDashboardCodeDto,
  DashboardCodeDto,
  DashboardSessionDto,
  ExchangeDashboardCodeDto,
} from '@form-webhooks/http-api';
import { forbidden, unauthorized } from '@form-webhooks/http-edge';
import type { DashboardGrant } from '@form-webhooks/storage';
import type { AccessRequest } from '../access/access-request.js';
import { CallerIdentity } from '../access/caller-identity.js';
import { AnyCaller, Caller, OpenToAnyone } from '../access/decorators.js';
import { refuseForeignPages } from '../access/sessions/own-page.js';
import { beginningCookie, endingCookie } from '../access/sessions/session-cookie.js';
import { Answers, ApiController } from '../http/documented.js';
import { DashboardSessions, showSession } from './dashboard-sessions.js';

/** How the host product hands the dashboard over, and what its page knows of its session (docs/dashboard.md). */
@ApiController('dashboard', 'dashboard')
export class DashboardController {
  constructor(private readonly sessions: DashboardSessions) {}

  @Post('codes')
  @AnyCaller()
  @ApiOperation({ operationId: 'create_dashboard_code', summary: 'A one-time code that opens the dashboard on a form' })
  @ApiCreatedResponse({ type: DashboardCodeDto })
  @Answers(404, 'Unknown form')
  createCode(
    @Caller() caller: CallerIdentity,
    @Req() request: AccessRequest,
    @Body() body: CreateDashboardCodeDto,
  ): Promise<DashboardCodeDto> {
    // Else a session could prolong itself for ever.
    if (request.headers.authorization === undefined) throw forbidden('Only the host product opens the dashboard.');
    return this.sessions.createCode(caller, body);
  }

  @Post('session')
  @HttpCode(200)
  @OpenToAnyone()
  @ApiOperation({
    operationId: 'begin_dashboard_session',
    summary: 'Exchanges a code, once, for a session in a cookie that no script can read',
    security: [],
  })
  @ApiOkResponse({ type: DashboardSessionDto })
  @Answers(413, 'The body is larger than 1 KiB')
  async begin(
    @Req() request: AccessRequest,
    @Body() { code }: ExchangeDashboardCodeDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DashboardSessionDto> {
    refuseForeignPages(request);
    const { token, session, lastsSeconds } = await this.sessions.begin(code, request.ip);
    reply.header('set-cookie', beginningCookie(token, isSecure(request), lastsSeconds));
    return session;
  }

  @Get('session')
  @AnyCaller()
  @ApiOperation({ operationId: 'get_dashboard_session', summary: 'Whose session it is, and until when' })
  @ApiOkResponse({ type: DashboardSessionDto })
  find(@Caller() caller: CallerIdentity): DashboardSessionDto {
    return showSession(sessionOf(caller));
  }

  @Delete('session')
  @HttpCode(204)
  @AnyCaller()
  @ApiOperation({ operationId: 'end_dashboard_session', summary: 'Ends the session' })
  @ApiNoContentResponse()
  async end(
    @Caller() caller: CallerIdentity,
    @Req() request: AccessRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.end(sessionOf(caller));
    reply.header('set-cookie', endingCookie(isSecure(request)));
  }
}

const isSecure = ({ protocol }: AccessRequest): boolean => protocol === 'https';

/** As it was read when the caller was identified. @throws Problem 401 where a key or a token is the credential */
function sessionOf({ session }: CallerIdentity): DashboardGrant {
  if (!session) throw unauthorized('This is no session.');
  return session;
}
