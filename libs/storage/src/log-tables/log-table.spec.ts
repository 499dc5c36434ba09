import { describe, expect, it } from 'vitest';
import { LogTable, type LogColumns } from './log-table.js';

interface Visit {
  readonly id: string;
  readonly at: number | null;
  readonly said: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly parts: readonly (number | null)[] | null;
}

const VISITS = new LogTable(
  {
    id: { type: 'code', of: ({ id }) => id, fixed: true },
    at: { type: 'moment', of: ({ at }) => at },
    said: { type: 'text', of: ({ said }) => said, erased: null },
    headers: { type: 'headers', of: ({ headers }) => headers, erased: {} },
    parts: { type: 'integers', of: ({ parts }) => parts },
  } satisfies LogColumns<Visit>,
  (_visit: Visit) => '2026-11-27',
);

const visit: Visit = { id: 'v_1', at: 5, said: 'a\0b \ud800', headers: { 'x-\0': '\udfff' }, parts: [1, null, 0] };

describe('a table of the log', () => {
  it('makes a row of what there is, its text made safe for the database', () => {
    expect(VISITS.rowOf(visit)).toEqual({
      day: '2026-11-27',
      id: 'v_1',
      at: 5,
      said: 'a\ufffdb \ufffd',
      headers: { 'x-\ufffd': '\ufffd' },
      parts: '{1,NULL,0}',
    });
    const nothing = { at: null, said: null, headers: null, parts: null };
    expect(VISITS.rowOf({ id: 'v_1', ...nothing })).toEqual({ day: '2026-11-27', id: 'v_1' });
  });

  it('leaves of an erased submission what its columns say, and makes nothing of null', () => {
    expect(VISITS.rowOf(visit, true)).toMatchObject({ at: 5, said: null, headers: {} });
    expect(VISITS.rowOf({ ...visit, headers: null }, true)).toMatchObject({ said: null, headers: undefined });
    expect(VISITS.erasure).toBe("said = NULL, headers = CASE WHEN headers IS NOT NULL THEN '{}'::json END");
    expect(VISITS.erasable).toBe('said IS NOT NULL OR headers IS NOT NULL');
  });

  it('lists its columns for an insert, for an update without the fixed ones, and for a select', () => {
    expect(VISITS.recordset('$2')).toBe(
      'json_to_recordset($2::json) AS r(day date, id text, at bigint, said text, headers text, parts text)',
    );
    expect(VISITS.names).toBe('day, id, at, said, headers, parts');
    expect(VISITS.values).toBe('r.day, r.id, to_timestamp(r.at / 1000.0), r.said, r.headers::json, r.parts::integer[]');
    expect(VISITS.assignments).toBe(
      'at = to_timestamp(r.at / 1000.0), said = r.said, headers = r.headers::json, parts = r.parts::integer[]',
    );
    expect(VISITS.read('v.')).toBe("v.id, round(date_part('epoch', v.at) * 1000) AS at, v.said, v.headers, v.parts");
  });
});
