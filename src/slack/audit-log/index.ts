/** The audit log feature: what it adds to Slack. */

import { actionIds } from '../bolt/ids.js';
import type { Feature } from '../bolt/routing/feature.js';
import { auditAnybody, auditNewest, auditOlder, auditPerson, auditSection } from './actions.js';
import { audit } from './audit-command.js';

export const auditLog: Feature = {
  commands: { '/scandesk': [audit] },
  actions: {
    [actionIds.auditOlder]: auditOlder,
    [actionIds.auditNewest]: auditNewest,
    [actionIds.auditPerson]: auditPerson,
    [actionIds.auditAnybody]: auditAnybody,
    [actionIds.auditSection]: auditSection,
  },
};
