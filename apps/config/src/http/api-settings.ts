import { asInteger, asList, Setting } from '@form-webhooks/settings';

/** What holds for every route of the API. */
export class ApiSettings {
  @Setting({
    env: 'CORS_ORIGINS',
    meaning: 'origins whose pages may call the API, separated by commas; none by default',
    default: '',
    parse: asOrigins,
  })
  readonly corsOrigins: readonly string[];

  @Setting({
    env: 'MAX_PAGE_SIZE',
    meaning: 'items that a page of a list has at most',
    default: '100',
    parse: asInteger(1, 1_000),
  })
  readonly maxPageSize: number;
}

function asOrigins(text: string): readonly string[] {
  const origins = asList(text);
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new RangeError(`"${origin}" is not an origin such as https://dashboard.example.com`);
    }
  }
  return origins;
}
