/** The audit log feature: what it adds to Slack. */

import type { Feature } from '../bolt/routing/feature.js';
import { auditAnybody, auditNewest, auditOlder, auditPerson, auditSection } from './actions.js';
import { audit } from './audit-command.js';

export const auditLog: Feature = {
  commands: { '/scandesk': [audit] },
  actions: {
    'audit.older': auditOlder,
    'audit.newest': auditNewest,
    'audit.person': auditPerson,
    'audit.anybody': auditAnybody,
    'audit.section': auditSection,
  },
};
