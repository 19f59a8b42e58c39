/** The audit log feature: what it adds to Slack. */
import type { Feature } from '../bolt/routing/feature.js';
import { audit, auditAnybody, auditNewest, auditOlder, auditOpen, auditPerson, auditSection } from './audit-command.js';

export const auditLog: Feature = {
  commands: { '/scandesk': [audit] },
  listeners: [auditOpen, auditOlder, auditNewest, auditPerson, auditAnybody, auditSection],
};
