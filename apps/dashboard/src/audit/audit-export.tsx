import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntry } from '../api/queries.js';
import { csvOf } from '../files/csv.js';
import { download } from '../files/download.js';
import { plainNumber } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Notice, ProblemNotice } from '../ui/notice.js';
import type { AuditFilter } from './audit-filter.js';
import { AUDIT_COLUMNS, auditRowOf, listAudit } from './audit-query.js';

const PAGE = 100;
/** Entries in one file; more are asked for by their time. */
const MAX_EXPORTED = 5_000;

interface AuditExportProps {
  readonly formId: string;
  readonly filter: AuditFilter;
}

/** Hands out what matches as a file for a spreadsheet. */
export function AuditExport({ formId, filter }: AuditExportProps) {
  const t = useText();
  const language = useLanguage();
  const [done, setDone] = useState(0);
  const collect = useMutation({
    mutationFn: () => collectEntries(formId, filter, setDone),
    onSuccess: ({ entries }) => download(csvOf([AUDIT_COLUMNS, ...entries.map(auditRowOf)]), `audit-${formId}.csv`),
  });
  return (
    <div className="stack">
      <div className="actions">
        <Button icon="down" busy={collect.isPending} onClick={() => collect.mutate()}>
          {t('audit.export')}
        </Button>
        <span className="hint" role="status">
          {collect.isPending && t('audit.export.count', { count: done })}
          {collect.data && t('audit.export.done', { count: collect.data.entries.length })}
        </span>
      </div>
      {collect.data?.isCut && (
        <Notice kind="warning" isNews title={t('audit.export.cut', { most: plainNumber(MAX_EXPORTED, language) })} />
      )}
      {collect.isError && <ProblemNotice asking="read" error={collect.error} />}
    </div>
  );
}

/** The newest entries up to the bound. `isCut`: there are more. */
export async function collectEntries(
  formId: string,
  filter: AuditFilter,
  tell: (count: number) => void,
): Promise<{ entries: AuditEntry[]; isCut: boolean }> {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(formId, filter, PAGE, cursor);
    entries.push(...page.items);
    cursor = page.next_cursor ?? undefined;
    tell(entries.length);
  } while (cursor !== undefined && entries.length < MAX_EXPORTED);
  return { entries: entries.slice(0, MAX_EXPORTED), isCut: cursor !== undefined };
}
