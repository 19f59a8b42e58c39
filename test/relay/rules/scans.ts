/** The default scan of rule tests: an ordinary one, at noon. */
import type { ValidatedScan } from '../../../src/relay/conditions/condition.js';

/** 12:00 on a Friday. */
export const noon = Date.UTC(2026, 4, 1, 12);

export const scanOf = (fields: Partial<ValidatedScan> = {}): ValidatedScan => ({
  id: 's1',
  tid: 'A-1',
  receivedAt: noon,
  answers: [],
  properties: [],
  valid: true,
  text: 'Valid',
  finding: 'valid',
  late: false,
  ...fields,
});
