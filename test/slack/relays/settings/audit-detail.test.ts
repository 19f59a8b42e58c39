import { expect, it } from 'vitest';
import { defaultSettings, type RelaySettings, ruleSchema } from '../../../../src/relay/index.js';
import { settingsOnRecord } from '../../../../src/slack/relays/settings/audit-detail.js';

const rule = (id: string, more: object = {}) =>
  ruleSchema.parse({ id, channel: 'C1', when: { kind: 'from', what: 'device', ids: [`udid-${id}`] }, ...more });
const nameOf = (_: string, id: string) => (id === 'udid-a' ? 'Gate A phone' : undefined);
const of = (before: Partial<RelaySettings>, after: Partial<RelaySettings>) =>
  settingsOnRecord({ ...defaultSettings, ...before }, { ...defaultSettings, ...after }, nameOf);

it('the audit log says how many rules a relay has, and names added, removed, changed and switched rules', () => {
  const [a, b, c] = [rule('a'), rule('b', { name: 'B <!channel>' }), rule('c')];
  expect(of({ rules: [b] }, { rules: [b, a] })).toEqual({
    rules: 2,
    added: ['When a scan is made with Gate A phone'],
  });
  expect(of({ rules: [a, b] }, { rules: [b] })).toEqual({
    rules: 1,
    removed: ['When a scan is made with Gate A phone'],
  });
  expect(of({ rules: [a, b] }, { rules: [b, a] })).toEqual({ rules: 2, moved: true });
  expect(of({ rules: [a, b] }, { rules: [a, { ...b, on: false }] })).toEqual({
    rules: 2,
    switchedOff: ['B <!channel>'],
  });
  expect(of({ rules: [{ ...b, on: false }] }, { rules: [b] })).toEqual({ rules: 1, switchedOn: ['B <!channel>'] });
  expect(of({ rules: [a, c] }, { rules: [a, { ...c, channel: 'C2' }] })).toEqual({
    rules: 2,
    changed: ['When a scan is made with unnamed device udid-c'],
  });
});

it('the audit log shows changed settings, a list as its number of barcodes, a secret only as set or removed', () => {
  expect(of({}, { match: 'all' })).toEqual({ match: 'all' });
  expect(of({ duplicates: {} }, { duplicates: undefined })).toEqual({ duplicates: null });
  const values = Array.from({ length: 400 }, (_, n) => `00${n}`);
  expect(of({}, { judging: { kind: 'list', values, exact: true, listed: 'valid' } })).toEqual({
    judging: { kind: 'list', listed: 'valid', count: 400 },
  });
  const secretProperty = { name: 'proof', hash: 'f00d' } as unknown as NonNullable<RelaySettings['secretProperty']>;
  expect(of({}, { secretProperty })).toEqual({ secretProperty: 'set' });
  expect(of({ secretProperty }, {})).toEqual({ secretProperty: 'removed' });
});
