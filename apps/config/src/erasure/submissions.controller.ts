import { Delete, HttpStatus, Param, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { FORM_ID_PATTERN, SUBMISSION_ID_PATTERN, type FormId, type SubmissionId } from '@form-webhooks/domain';
import { NO_WORKSPACE, type Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, FormMayBeRemoved, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { notFound } from '../http/problems.js';
import { Erasure } from './erasure.js';

@ApiController('forms/:form_id/submissions', 'submissions')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form; a service key may name one that is not registered')
export class SubmissionsController {
  constructor(private readonly erasure: Erasure) {}

  @Delete(':submission_id/data')
  @Scopes('data:erase')
  @FormMayBeRemoved()
  @ApiOperation({
    operationId: 'erase_submission',
    summary: 'Erases the payload and what receivers answered, cancels what is pending, keeps the bare record',
  })
  @ApiNoContentResponse({
    description: 'Erased; also if there was nothing, so that a late record finds nothing either',
  })
  @ApiAcceptedResponse({ description: 'Nothing more is stored or sent; what is stored is being erased' })
  async erase(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form | undefined,
    @Param('form_id') formId: string,
    @Param('submission_id') submissionId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    if (!FORM_ID_PATTERN.test(formId)) throw notFound('form');
    if (!SUBMISSION_ID_PATTERN.test(submissionId)) throw notFound('submission');
    const key = { formId: formId as FormId, submissionId: submissionId as SubmissionId };
    const done = await this.erasure.erase(caller, form?.workspaceId ?? NO_WORKSPACE, key);
    void reply.status(done ? HttpStatus.NO_CONTENT : HttpStatus.ACCEPTED);
  }
}
