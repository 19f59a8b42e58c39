import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditView } from '../../../src/slack/audit-log/audit-view.js';
import { type AuditNames, ownTitle } from '../../../src/slack/audit-log/describe-entry.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { noon } from '../lookup/lookup-samples.js';

const names: AuditNames = {
  resource: (kind, id) =>
    new Map([
      ['service 1206', 'VIP lounge'],
      ['database 1021', 'Harbour Lights'],
    ]).get(`${kind} ${id}`),
  relay: (id) => (id === '4zJdN_XOaEu6' ? 'VIP lounge' : undefined),
  rule: (_, id) => (id === 'fLC4RerbbAgz' ? 'From Gate A phone' : undefined),
};

function blocksOf(what: string, detail: Record<string, unknown>, outcome = 'ok') {
  const row = { id: 'a', at: noon, who: 'U0ADA', where: 'C0GENERAL', what, detail, outcome };
  return auditView({ rows: [row], hasOlder: false, metadata: {}, names, days: 400 }).blocks.slice(1, -1);
}
const told = (what: string, detail: Record<string, unknown>, outcome?: string) =>
  read(blocksOf(what, detail, outcome)).replaceAll('  ·  ', ' · ');

const relay = '4zJdN_XOaEu6';

it('the audit log has a title for every recorded action', async () => {
  const folder = join(import.meta.dirname, '../../../src/slack');
  const files = await readdir(folder, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('describe-entry.ts'));
  const whats = new Set<string>();
  for (const file of sources) {
    for (const [, what = ''] of (await readFile(join(folder, file), 'utf8')).matchAll(
      /'((?:relay|workspace|report|search|places)\/[a-z_]+)'/g,
    )) {
      whats.add(what);
    }
  }
  expect(whats.size).toBeGreaterThan(15);
  expect([...whats].filter((what) => ownTitle(what) === undefined)).toEqual([]);
});

it('the audit log shows a mute in words, with its channel, the time when it is over, and names', () => {
  const until = 1_795_386_091_216;
  const mute = blocksOf('relay/mute', { kind: 'rule', relayId: relay, ruleId: 'fLC4RerbbAgz', channel: 'C0X', until });
  expect(read(mute)).toMatch(/^Mute a rule.*Relay: VIP lounge.*Rule: “From Gate A phone”.*Channel: /s);
  expect(JSON.stringify(mute)).toContain('"type":"channel","channel_id":"C0X"');
  expect(JSON.stringify(mute)).toContain(`"timestamp":${Math.floor(until / 1000)},"format":"Until {`);
  expect(read(mute)).not.toMatch(/4zJdN|fLC4|C0X|1795386091216|kind/);

  const value = blocksOf('relay/unmute', { kind: 'value', value: ' 00*1 ', channel: 'C0X' });
  expect(read(value)).toMatch(/^Unmute a barcode/);
  expect(shownTexts(value)).toContainEqual({ how: 'exact', text: ' 00*1 ', code: true });
  expect(told('relay/mute', { kind: 'rule', relayId: relay, ruleId: 'gone' })).toContain('Rule: deleted');
  const titled = told('relay/mute', { kind: 'rule', relayId: relay, ruleId: 'gone', title: 'VIPs' });
  expect(titled).toMatch(/Rule: “VIPs”$/);
});

it('the audit log shows a relay’s number of rules after a change, the added rules, and a new order or matching', () => {
  const added = told('relay/rules', { relay, rules: 9, added: ['Invalid scans'] });
  expect(added).toContain('Edit rules');
  expect(added).toContain('Relay: VIP lounge · Rules: 9 · Added: “Invalid scans”');
  expect(told('relay/rules', { relay, rules: 9, moved: true })).toContain('Order: changed');
  expect(told('relay/rules', { relay, match: 'all' })).toContain('When several rules match: all of them post');
});

it('the audit log shows entries of earlier versions in words, without raw JSON or IDs', () => {
  const rule = { id: 'fLC4', name: '', on: true, when: { kind: 'every' }, channel: 'C0X' };
  expect(told('relay/rules', { relay, rules: [rule, rule] })).toContain('Relay: VIP lounge · Rules: 2');
  const cutOff = told('relay/rules', { relay, rules: '[{"id":"fLC4RerbbAgz","name":"","on":true,"when":{"ki…' });
  expect(cutOff).toContain('Rules: changed');
  expect(cutOff).not.toContain('{');
  const judged = told('relay/judging', { relay, judging: '{"kind":"list","values":["00123…', duplicates: null });
  expect(judged).toContain('Validation: changed · Repeat scans: none');
  expect(judged).not.toContain('{');
  expect(told('relay/acknowledge', { post: 'scan:01ABC' })).not.toContain('01ABC');
  expect(told('relay/end_address', { relay, address: 's3cr3t-id' })).not.toContain('s3cr3t-id');
  expect(told('relay/pause', { relay: 'unheard-of' })).toContain('Relay: unknown');
});

it('the audit log shows settings of validation, responses and security in words', () => {
  const judging = { kind: 'database', databaseIds: ['1021', '7'] };
  const all = { judging, duplicates: { withinMinutes: 120 }, atMost: { n: 3, of: 'value' } };
  expect(told('relay/judging', { relay, ...all })).toContain(
    'Validation: checked against Harbour Lights and unnamed database 7 · Repeat scans: duplicates within 2 hours · Scan limit: 3 per barcode',
  );
  expect(told('relay/judging', { judging: { kind: 'list', listed: 'invalid', count: 900 } })).toContain(
    'Validation: 900 listed barcodes are not valid',
  );
  const hours = { zone: 'Europe/Berlin', days: [1], from: '08:00', to: '09:00' };
  expect(told('relay/judging', { hours })).toContain('Active hours: Mon, 08:00–09:00 (Berlin)');
  expect(told('relay/answers', { answers: { valid: { text: 'x' }, duplicate: { text: 'y' } } })).toContain(
    'Custom responses: Valid, Already used',
  );
  expect(told('relay/answers', { answers: ['valid'], questions: 2 })).toContain(
    'Custom responses: Valid · Questions: 2',
  );
  expect(told('relay/security', { secretProperty: 'set', networks: ['10.0.0.0/8'], names: { tid: 'code' } })).toContain(
    'Secret property: set · Allowed networks: 10.0.0.0/8 · Variable names: tid is code',
  );
});

it('the audit log shows relays, services and databases by name, and people and user groups as Slack does', () => {
  const made = { serviceIds: ['1206'], serviceName: 'VIP lounge', channel: 'C0X', notable: 'all', relay };
  const created = blocksOf('relay/create', made);
  expect(read(created)).not.toMatch(/1206|serviceIds|notable|C0X|4zJdN/);
  expect(read(created)).toMatch(/Default rule: every scan.*Relay: VIP lounge/s);
  expect(told('relay/change', { relay, serviceIds: [], serviceName: 'Any service' })).toContain('Service: Any service');
  expect(told('relay/test', { relay, service: '1206', value: 'SCANDESK-TEST-1' })).toContain('Service: VIP lounge');
  expect(told('relay/test', { relay }, 'unreachable')).toContain('Scandesk couldn’t reach its own public URL.');
  expect(told('workspace/databases', { databases: ['1021'] })).toContain('Databases: Harbour Lights');
  expect(told('workspace/databases', { databases: 'all' })).toContain('Databases: all');
  const access = blocksOf('workspace/access', { before: null, now: { users: ['U0MIA'], groups: ['S0GATE'] } });
  expect(JSON.stringify(access)).toContain('"user_id":"U0MIA"');
  expect(JSON.stringify(access)).toContain('"usergroup_id":"S0GATE"');
  expect(read(access)).not.toMatch(/U0MIA|users|before/i);
});

it.each([
  ['workspace/databases', { databases: 'all', scanDays: 90, notCopied: ['1021'] }, 'Days of scans copied: 90'],
  ['workspace/databases', { databases: 'all', scanDays: 90, notCopied: [] }, 'Databases not copied: none'],
  [
    'workspace/forget',
    { scans: 2, posts: 1, cards: 1, alerts: 0, recent: 1, copied: 3, entries: 2, countsKept: true },
    'Still counted: yes',
  ],
  ['workspace/erase', { scans: 2, posts: 1 }, 'Scans: 2 · Posts: 1'],
  [
    'report/create',
    { report: 'x1', subject: { relay }, channel: 'C0X', hour: 8, minute: 5, zone: 'UTC', day: 'today' },
    'Time: 08:05 · Time zone: UTC · Day: today',
  ],
  ['relay/hand_over', { post: 'p', relay, to: 'U0MIA' }, 'To: '],
])('the audit log shows an entry of %s in words, without a variable’s name: $2', (what, detail, words) => {
  const text = told(what, detail).replaceAll('#', '');
  expect(text).toContain(words);
  expect(text).not.toMatch(/scanDays|notCopied|countsKept|\bhour\b|minute|subject|[a-z][A-Z]/);
});

it('the audit log says that a list is shown in a channel, or no longer, and shows the channel as Slack does', () => {
  for (const [what, title] of [
    ['places/board', 'Show a list in a channel'],
    ['places/board_remove', 'Stop showing a list in a channel'],
  ] as const) {
    const blocks = blocksOf(what, { list: 'Main hall', channel: 'C0X' });
    expect(read(blocks)).toContain(title);
    expect(read(blocks)).toContain('List: Main hall');
    expect(read(blocks)).not.toContain('C0X');
    expect(JSON.stringify(blocks)).toContain('"type":"channel","channel_id":"C0X"');
  }
});

it('the audit log shows until when a loan was extended, in the reader’s own time zone', () => {
  const extended = blocksOf('places/extended', { list: 'Radios', value: 'R-1', until: '2026-11-27T18:00:00.000Z' });
  expect(JSON.stringify(extended)).toContain(`"timestamp":${Date.UTC(2026, 10, 27, 18) / 1000},"format":"Until {`);
});

it('the audit log calls an acknowledged post an alert where the entry has that kind, and else a post', () => {
  expect(told('relay/acknowledge', { post: 'p', relay, kind: 'alert' })).toContain('Acknowledge an alert');
  expect(told('relay/note', { post: 'p', relay, kind: 'alert' })).toContain('Edit the note on an alert');
  expect(told('relay/acknowledge', { post: 'p', relay })).toContain('Acknowledge a post');
});

it('the audit log counts only what was deleted with a barcode, or says that nothing was stored', () => {
  const none = { scans: 0, posts: 0, cards: 0, alerts: 0, recent: 0, copied: 0, entries: 0, countsKept: false };
  expect(told('workspace/forget', none)).toContain('Nothing stored · Still counted: no');
  expect(told('workspace/forget', none)).not.toMatch(/\b0\b/);
  const some = told('workspace/forget', { ...none, scans: 2 });
  expect(some).toContain('Scans: 2 · Still counted: no');
  expect(some).not.toMatch(/Posts|Cards|Nothing stored/);
});
