import { ProblemDto } from '@form-webhooks/http-api';
import { Problem } from '@form-webhooks/http-edge';
import { expect, it } from 'vitest';

/** Where @nestjs/swagger notes the members that a class documents, each behind a colon. */
const DOCUMENTED = 'swagger/apiModelPropertiesArray';

it('documents every member that a problem is answered with, of the type that it has', () => {
  const errors = [{ field: 'url', code: 'type', message: 'url is no text.' }];
  const more = { code: 'invalid', errors, endpointId: 'we_1' };
  const answered: ProblemDto = new Problem(422, 'One is wrong.', more).toDocument('req_1');
  const documented = Reflect.getMetadata(DOCUMENTED, ProblemDto.prototype) as readonly string[];
  expect(documented.map((member) => member.slice(1))).toEqual(Object.keys(answered));
});
