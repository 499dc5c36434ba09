import { Injectable } from '@nestjs/common';
import { MASKED_VALUE, MAX_CUSTOM_HEADERS } from '@form-webhooks/domain';
import { HeaderSettings, SealingSettings } from '@form-webhooks/settings';
import {
  deleteHeaders,
  headerNames,
  putHeaders,
  type Endpoint,
  type EndpointHeader,
  type FieldChange,
  type Transaction,
} from '@form-webhooks/storage';
import { invalid } from '../../http/problems.js';
import { readHeaderChanges, type HeaderChanges } from './header-changes.js';

/** What is to become of an endpoint's headers, and where it led until now if it led anywhere. */
export interface WantedHeaders {
  readonly changes: HeaderChanges;
  readonly before?: Endpoint;
}

/** Seals, replaces and removes the headers that an endpoint's requests carry for its owner. Nobody reads a value again. */
@Injectable()
export class EndpointHeaders {
  private readonly reserved: ReadonlySet<string>;

  constructor(
    private readonly sealing: SealingSettings,
    { signatureHeader, testHeader }: HeaderSettings,
  ) {
    this.reserved = new Set([signatureHeader.toLowerCase(), testHeader.toLowerCase()]);
  }

  /** @param mayRemove whether null is a value. @throws Problem 422 with all that is wrong */
  read(given: Readonly<Record<string, unknown>> | undefined, mayRemove: boolean): HeaderChanges {
    const { changes, problems } = readHeaderChanges(given ?? {}, this.reserved, mayRemove);
    if (problems.length > 0) throw invalid(...problems);
    return changes;
  }

  /**
   * Gives the endpoint its headers. Lock it first, unless it is new.
   * @returns what changed, for the audit log: names, and no value
   * @throws Problem 422 if there would be too many, or a value would go to another origin than it was given for
   */
  async apply(tx: Transaction, endpoint: Endpoint, wanted: WantedHeaders, at: Date): Promise<FieldChange[]> {
    const { changes, before } = wanted;
    const had = (await headerNames(tx, [endpoint.id])).get(endpoint.id) ?? [];
    const removed = had.filter((name) => changes.get(name) === null);
    const set = [...changes].filter((change): change is [string, string] => change[1] !== null);
    const kept = had.filter((name) => !changes.has(name));
    if (kept.length + set.length > MAX_CUSTOM_HEADERS) throw tooMany();
    if (before && kept.length > 0 && isElsewhere(before.url, endpoint.url)) throw givenForAnother(kept);
    await deleteHeaders(tx, endpoint.id, removed);
    await putHeaders(
      tx,
      set.map(([name, value]) => this.seal(endpoint, name, value, at)),
    );
    return [
      ...removed.map((name) => ({ field: `headers.${name}`, old: MASKED_VALUE, new: null })),
      ...set.map(([name]) => ({
        field: `headers.${name}`,
        old: had.includes(name) ? MASKED_VALUE : null,
        new: MASKED_VALUE,
      })),
    ];
  }

  private seal({ workspaceId, id }: Endpoint, name: string, value: string, at: Date): EndpointHeader {
    const { keyRing } = this.sealing;
    const sealed = keyRing.seal(value, { workspaceId, endpointId: id, headerName: name });
    return { workspaceId, endpointId: id, name, sealed, keyId: keyRing.activeKeyId, setAt: at };
  }
}

const isElsewhere = (before: string, after: string): boolean => new URL(before).origin !== new URL(after).origin;

const tooMany = () =>
  invalid({ field: 'headers', code: 'too_many', message: `An endpoint has at most ${MAX_CUSTOM_HEADERS} headers.` });

/** Else whoever may change a URL could have every value sent to himself. */
const givenForAnother = (names: readonly string[]) =>
  invalid(
    ...names.map((name) => ({
      field: `headers.${name}`,
      code: 'required',
      message: `The URL leads to another origin: give the value of ${name} again for it, or remove it with null.`,
    })),
  );
