import { expect, it } from 'vitest';
import { type NotablePost, type PreviewedScan, type Rule, ruleSchema } from '../../../../src/relay/index.js';
import { previewBlocks, rulePreview } from '../../../../src/slack/relays/settings/rules/preview-blocks.js';
import { read } from '../../block-kit/reading.js';
import { noon } from '../../lookup/lookup-samples.js';

const rule = (id: string, channel: string): Rule =>
  ruleSchema.parse({ id, channel, when: { kind: 'from', what: 'device', ids: ['a3f1'] } });
const post = (one: Rule): NotablePost => ({
  ...{ kind: 'scan', channel: one.channel, rules: [one], watchers: [], how: 'each', quiet: false },
  mention: { users: [], groups: [] },
});
const scan = (tid: string, posts: readonly NotablePost[], unmuted?: readonly NotablePost[]) =>
  ({
    scan: { tid, valid: true, receivedAt: noon },
    posts,
    ...(unmuted ? { unmuted } : {}),
  }) as unknown as PreviewedScan;

const hours = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '18:00' };
const [a, b] = [rule('a', 'C0A'), rule('b', 'C0B')];

it('a preview of rules says how many scans are muted, and in which channel', () => {
  const scans = [
    scan('1', [post(a)], [post(a)]),
    scan('2', [], [post(b)]),
    scan('3', [], [post(b)]),
    scan('4', [post(a)], [post(a), post(b)]),
    scan('5', [], []),
  ];
  const all = previewBlocks(scans, { most: 5 });
  expect(read(all)).toContain('Of this relay’s 5 recent scans, 2 would have been posted:');
  expect(read(previewBlocks(scans, { most: 5, rule: 'b' }))).toContain(
    'Of this relay’s 5 recent scans, none would have been posted by this rule, 2 by the relay in all.',
  );
  expect(read(all)).toContain('🔕 2 more are muted in . Run /scandesk mute there to see the mute.');
  expect(JSON.stringify(all.at(-1))).toContain('"channel_id":"C0B"');
  expect(JSON.stringify(all.at(-1))).not.toContain('"channel_id":"C0A"');
  expect(read(previewBlocks(scans, { most: 5, rule: 'b' }))).toContain('🔕 3 are muted in ');
  expect(read(previewBlocks(scans, { most: 5, rule: 'a' }))).not.toContain('🔕');
  expect(read(previewBlocks([scan('1', [post(a)])], { most: 5 }))).not.toContain('🔕');
});

it('a preview of an alert says once that there would have been none', () => {
  const burst = ruleSchema.parse({ id: 'n', channel: 'C0A', when: { kind: 'burst', n: 3, minutes: 10 } });
  const silence = ruleSchema.parse({
    id: 's',
    channel: 'C0A',
    when: { kind: 'silence', of: 'relay', minutes: 30, hours },
  });
  const nothing = (one: Rule) => read(rulePreview(one, [scan('1', []), scan('2', [])], noon, { most: 5 }));
  expect(nothing(burst)).toBe('Of this relay’s 2 recent scans, none would have opened an alert.');
  expect(nothing(silence)).toBe('No alert would have opened.The relay would have posted nothing else.');
  expect(nothing(a)).toBe('Of this relay’s 2 recent scans, none would have been posted.');
  expect(read(rulePreview(burst, [scan('1', [post(a)])], noon, { most: 5 }))).toBe(
    'Of this relay’s 1 recent scan, none would have opened an alert, 1 would have been posted by the relay in all.',
  );
});

it('a preview of an alert does not say of the same scan that it alerts and that it is posted', () => {
  const escalate = { users: ['U1'], groups: [], minutes: 5 };
  const when = { kind: 'burst', n: 2, minutes: 10 };
  const burst = ruleSchema.parse({ id: 'n', channel: 'C0A', when, escalate });
  const alert = { ...post(burst), kind: 'burst', opened: {} } as unknown as NotablePost;
  const said = read(rulePreview(burst, [scan('2', [alert]), scan('1', [])], noon + 600_000, { most: 5 }));
  expect(said).toMatch(
    /^Of this relay’s 2 recent scans, 1 would have opened an alert, 1 would have been posted by the/,
  );
  expect(said).not.toContain('1 alert would have opened');
  expect(said).toMatch(/Unanswered, the alert would have escalated 1 time\.$/);
});

it('a preview of rules names a rule without a name by its conditions, with the account’s names', () => {
  const nameOf = (_: string, id: string) => (id === 'a3f1' ? 'Gate A phone' : undefined);
  expect(read(previewBlocks([scan('1', [post(a)])], { most: 5, nameOf }))).toContain(
    'by “When a scan is made with Gate A phone”',
  );
});

it('a preview of an alert on missing scans says when it alerts, where its saving begins the wait', () => {
  const silence = ruleSchema.parse({
    id: 's',
    channel: 'C0A',
    when: { kind: 'silence', of: 'relay', minutes: 30, hours },
  });
  const eight = Date.UTC(2026, 4, 1, 8);
  const alertsAt = (now: number, begins: boolean) => {
    const blocks = rulePreview(silence, [], now, { most: 5, begins }).map((block) => JSON.stringify(block));
    return /"timestamp":(\d+)/.exec(blocks.find((block) => block.includes('Saved now, it alerts ')) ?? '')?.[1];
  };
  expect(alertsAt(eight, true)).toBe(String((eight + 30 * 60_000) / 1_000));
  // Outside its hours the wait begins with them.
  expect(alertsAt(eight - 5 * 3_600_000, true)).toBe(String((eight + 30 * 60_000) / 1_000));
  expect(alertsAt(eight, false)).toBeUndefined();
  expect(JSON.stringify(rulePreview(a, [], eight, { most: 5, begins: true }))).not.toContain('Saved now');
});
