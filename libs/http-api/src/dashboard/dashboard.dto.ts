import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUrl } from 'class-validator';
import { FORM_ID_FORMAT, type TextFormat } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { MayBeAbsent, PlainText } from '../http/rules.js';
import { SCOPES, type Scope } from '../keys/scopes.js';

export const DASHBOARD_ROLES = ['owner', 'viewer'] as const;
export type DashboardRole = (typeof DASHBOARD_ROLES)[number];

const USER_FORMAT: TextFormat = {
  pattern: /^[\x21-\x7e]{1,255}$/,
  words: '1 to 255 visible characters of ASCII, without spaces',
};
const CODE_FORMAT: TextFormat = {
  pattern: /^[A-Za-z0-9_-]{43}$/,
  words: 'the code that POST /v1/dashboard/codes answered: 43 letters, digits, _ or -',
};

export class CreateDashboardCodeDto {
  @ApiProperty({ pattern: FORM_ID_FORMAT.pattern.source, description: 'The form that the dashboard opens' })
  @HasFormat(FORM_ID_FORMAT)
  form_id: string;

  @ApiPropertyOptional({
    pattern: USER_FORMAT.pattern.source,
    description:
      'Who opens it, as the audit log is to name them (`user:<user>`). A key must say it; a person is himself',
  })
  @MayBeAbsent()
  @HasFormat(USER_FORMAT)
  user?: string;

  @ApiPropertyOptional({
    enum: DASHBOARD_ROLES,
    description: 'What that person may do. A key must say it; a person has his own role',
  })
  @MayBeAbsent()
  @IsIn(DASHBOARD_ROLES)
  role?: DashboardRole;

  @ApiPropertyOptional({
    format: 'uri',
    maxLength: 2_048,
    description: 'The page of the host product that opens the dashboard anew when the session has ended',
  })
  @MayBeAbsent()
  @PlainText(2_048)
  @IsUrl(
    { protocols: ['https', 'http'], require_protocol: true, require_tld: false },
    { message: '$property must be an absolute http or https URL such as https://app.example.com/forms' },
  )
  host_url?: string;
}

export class DashboardCodeDto {
  @ApiProperty({ description: 'Good for one exchange' })
  code: string;

  @ApiProperty({ description: 'Where to send the browser, at this service; the code is in the fragment' })
  path: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

export class ExchangeDashboardCodeDto {
  @ApiProperty({ pattern: CODE_FORMAT.pattern.source })
  @HasFormat(CODE_FORMAT)
  code: string;
}

export class DashboardSessionDto {
  @ApiProperty({ description: 'As the audit log names the caller' })
  actor: string;

  @ApiProperty()
  workspace_id: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  @ApiProperty({ description: 'The form that it was opened for' })
  form_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The page of the host product that opens it anew' })
  host_url: string | null;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}
