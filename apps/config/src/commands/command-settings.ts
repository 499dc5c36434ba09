import { KeyRing } from '@form-webhooks/domain';
import { asUrl, Setting } from '@form-webhooks/settings';

/** What a command needs that only looks at the database. */
export class DatabaseSettings {
  @Setting({
    env: 'DATABASE_URL',
    meaning: 'the database, such as postgres://user:password@host:5432/name',
    parse: asUrl('postgres', 'postgresql'),
    secret: true,
  })
  databaseUrl: string;
}

/** What a command needs that opens secrets. */
export class KeySettings extends DatabaseSettings {
  @Setting({
    env: 'SECRET_KEYS',
    meaning: 'the keys that seal signing secrets: id:base64 of 32 bytes, separated by commas, the sealing one first',
    parse: (text) => new KeyRing(text),
    secret: true,
  })
  secretKeys: KeyRing;
}
