/** App Home's section for admins: who has access, and the last changes. Pure. */
import { headOf } from '../../audit-log/audit-view.js';
import { actions, type Block, button } from '../../block-kit/elements.js';
import { bold, person, richText, userGroup } from '../../block-kit/text.js';
import type { ConnectionStatus } from '../../connection/status.js';
import type { HomeFacts } from '../facts.js';

const mostNamed = 10;

export function accessBlocks({ managers }: ConnectionStatus): Block[] {
  const { users, groups } = managers;
  const managerNames = [...users.map(person), ...groups.map(userGroup)];
  const peopleLeft = managerNames.length - mostNamed;
  const shownPeople = managerNames.slice(0, mostNamed).flatMap((one) => [', ', one]);
  return [
    richText([
      bold('Can change settings: '),
      'workspace admins',
      ...shownPeople,
      ...(peopleLeft > 0 ? [` and ${peopleLeft} more`] : []),
    ]),
    actions([button('Manage access', 'access.open')], 'home.access'),
  ];
}

export function auditBlocks(rows: NonNullable<HomeFacts['audit']>): Block[] {
  return rows.length === 0
    ? []
    : [
        richText([bold('Last changes')], ...rows.map(headOf)),
        actions([button('Show more', 'audit.open')], 'home.audit'),
      ];
}
