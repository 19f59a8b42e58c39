/** The loader of one page of the audit log, with the names behind its ids, also of removed relays. */
import { namedKind, ownerNames } from '../../codereadr/names.js';
import { findOperation } from '../../codereadr/operations/index.js';
import type { NamedKind, NameOf } from '../../codereadr/types.js';
import type { AuditEntry } from '../../workspaces/types.js';
import type { ModalView } from '../block-kit/elements.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { ruleTitle } from '../channel-posts/describe/describe-rule.js';
import { cachedRuleNames } from '../connection/cached-names.js';
import { type AuditMetadata, auditSections, auditView, rowsAPage } from './audit-view.js';
import type { AuditNames } from './describe-entry.js';

type Context = Pick<BaseContext, 'deps' | 'actor'>;

export async function auditModal(context: Context, metadata: AuditMetadata): Promise<ModalView> {
  const { deps, actor } = context;
  const sections = auditSections.find(([value]) => value === metadata.section)?.[2] ?? [];
  const entries = await deps.store.audit.list(actor.owner, {
    limit: rowsAPage + 1,
    before: metadata.before,
    who: metadata.who,
    sections: sections.length > 0 ? sections : undefined,
  });
  const rows = entries.slice(0, rowsAPage);
  return auditView({
    rows,
    hasOlder: entries.length > rowsAPage,
    metadata,
    names: await namesFor(context, rows),
    days: deps.config.AUDIT_DAYS,
  });
}

async function namesFor(context: Context, rows: readonly AuditEntry[]): Promise<AuditNames> {
  const { deps, actor } = context;
  const ids = new Set(
    rows.flatMap(({ detail }) => [detail.relay, detail.relayId].filter((id) => typeof id === 'string')),
  );
  const relays = await deps.relayStatus.named(actor.owner, [...ids]);
  const rules = [...relays.values()].flatMap((relay) => relay.rules);
  const [resource, nameOf] = await Promise.all([resourceNames(context, rows), cachedRuleNames(context, rules)]);
  return {
    resource,
    relay: (id) => relays.get(id)?.serviceName,
    rule(relayId, ruleId) {
      const rule = relays.get(relayId)?.rules.find(({ id }) => id === ruleId);
      return rule && ruleTitle(rule, nameOf);
    },
  };
}

/** Without a connected account there are no names; the entries are shown by id. */
function resourceNames({ deps, actor }: Context, rows: readonly AuditEntry[]): Promise<NameOf> {
  const kinds = new Set(rows.flatMap(kindsIn));
  return ownerNames(deps, actor.owner, (names) => names.findNames([...kinds]));
}

/** The kinds of resources whose ids an entry holds. */
function kindsIn({ what, detail }: AuditEntry): NamedKind[] {
  const [section = '', action = ''] = what.split('/');
  const variables = Object.entries(findOperation(section, action)?.input ?? {});
  const kindsOfFields = kindsByField.flatMap(([name, kind]) => (detail[name] === undefined ? [] : kind));
  return [
    ...(['relay', 'workspace'].includes(section) || ['export', 'member'].includes(action) ? kindsOfFields : []),
    ...variables.flatMap(([name, variable]) => {
      const isReference = variable.type === 'id' || variable.type === 'ids';
      return isReference && detail[name] !== undefined ? (namedKind(variable.of) ?? []) : [];
    }),
  ];
}

const kindsByField: readonly (readonly [field: string, kind: NamedKind])[] = [
  ['databases', 'databases'],
  ['judging', 'databases'],
  ['service', 'services'],
  ['user_id', 'users'],
];
