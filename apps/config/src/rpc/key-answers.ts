import { Injectable } from '@nestjs/common';
import { API_KEY_ID_PATTERN } from '@form-webhooks/domain';
import { SCOPES } from '@form-webhooks/http-api';
import type { ApiKeyReply, ApiKeyRequest } from '@form-webhooks/messages';
import { DataSource, findApiKey } from '@form-webhooks/storage';
import { AdminKey, sameHash } from '../access/admin-key.js';
import { KeyUse } from '../access/key-use.js';

const UNKNOWN: ApiKeyReply = { valid: false, scopes: [], expires_at: null };

/** Tells the ingest service what a key may do, by id and hash: the key itself never crosses the broker. */
@Injectable()
export class KeyAnswers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly adminKey: AdminKey,
    private readonly keyUse: KeyUse,
  ) {}

  async answer({ key_id: id, key_hash: hash }: ApiKeyRequest): Promise<ApiKeyReply> {
    // The key from the environment has a form of its own, and so has no id that a caller could take from it.
    if (this.adminKey.matches(hash)) return { valid: true, scopes: SCOPES, expires_at: null };
    if (!API_KEY_ID_PATTERN.test(id)) return UNKNOWN;
    const key = await findApiKey(this.dataSource.manager, id);
    if (!key || !sameHash(key.hash, hash)) return UNKNOWN;
    const expiresAt = key.expiresAt?.getTime() ?? null;
    if (expiresAt !== null && expiresAt <= Date.now()) return UNKNOWN;
    this.keyUse.note(key.id);
    return { valid: true, scopes: key.scopes, expires_at: expiresAt };
  }
}
