/** Owns reading the audit for its window: one page, and the names behind the ids on it. */
import { findOperation } from '../account/catalogue/index.js';
import type { AuditEntry } from '../store/types.js';
import type { AuditNotes } from './audit-notes.js';
import { auditSections, auditView, rowsAPage } from './blocks/audit.js';
import type { ModalView } from './blocks/kit.js';
import type { BaseContext } from './context.js';
import { askedNames, type NamedKind, type NameOf, namedKind, noNames } from './known-names.js';

type Context = Pick<BaseContext, 'deps' | 'asker'>;

export async function auditWindow(context: Context, notes: AuditNotes): Promise<ModalView> {
  const { deps, asker } = context;
  const sections = auditSections.find(([value]) => value === notes.section)?.[2] ?? [];
  const found = await deps.store.audit.list(asker.owner, {
    limit: rowsAPage + 1,
    before: notes.before,
    who: notes.who,
    sections: sections.length > 0 ? sections : undefined,
  });
  const rows = found.slice(0, rowsAPage);
  return auditView({
    rows,
    older: found.length > rowsAPage,
    notes,
    nameOf: await namesFor(context, rows),
    days: deps.config.AUDIT_DAYS,
  });
}

/** Without an account there are no names; the record is there all the same. */
async function namesFor({ deps, asker }: Context, rows: readonly AuditEntry[]): Promise<NameOf> {
  const kinds = new Set(rows.flatMap(kindsIn));
  const apiKey = kinds.size > 0 ? await deps.store.workspaces.apiKey(asker.owner) : undefined;
  return apiKey === undefined ? noNames : askedNames(deps.accounts.open(apiKey), [...kinds]);
}

/** Of which things a row holds ids. */
function kindsIn({ what, detail }: AuditEntry): NamedKind[] {
  const [section = '', action = ''] = what.split('/');
  const variables = Object.entries(findOperation(section, action)?.input ?? {});
  return variables.flatMap(([name, variable]) => {
    const isThing = variable.type === 'id' || variable.type === 'ids';
    return isThing && detail[name] !== undefined ? (namedKind(variable.of) ?? []) : [];
  });
}
