/** The audit log feature: what it adds to Slack. */

import type { Feature } from '../bolt/routing/feature.js';
import { audit, auditAnybody, auditNewest, auditOlder, auditPerson, auditSection } from './audit-command.js';

export const auditLog: Feature = {
  commands: { '/scandesk': [audit] },
  listeners: [auditOlder, auditNewest, auditPerson, auditAnybody, auditSection],
};
