import { expect, it } from 'vitest';
import { ruleSchema, storedRule } from '../../../src/relay/index.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { describeDelivery, ruleTitle } from '../../../src/slack/channel-posts/describe/describe-rule.js';
import { ruleSentence } from '../../../src/slack/channel-posts/describe/rule-sentence.js';

const names = new Map([
  ['device a3f1', 'Gate A phone'],
  ['user 702', 'mara.gate'],
]);
const nameOf = (kind: string, id: string) => names.get(`${kind} ${id}`);
const titleOf = (when: object, fields: object = {}) =>
  ruleTitle(ruleSchema.parse({ id: 'r1', channel: 'C1', when, ...fields }), nameOf);

it('a rule’s sentence names the zone of hours Kyiv, whether Europe/Kiev or Europe/Kyiv is stored', () => {
  for (const zone of ['Europe/Kiev', 'Europe/Kyiv']) {
    const hours = { zone, days: [1], from: '08:00', to: '18:00' };
    expect(titleOf({ kind: 'outside_hours', hours })).toContain('(Kyiv)');
  }
});

it('a rule’s sentence names a device, and shows the ID of an unnamed device or question with that word', () => {
  expect(titleOf({ kind: 'from', what: 'device', ids: ['a3f1', 'b77e'] })).toBe(
    'When a scan is made with Gate A phone or unnamed device b77e',
  );
  expect(titleOf({ kind: 'from', what: 'device', ids: ['b77e', 'c0ff'] })).toBe(
    'When a scan is made with unnamed devices b77e or c0ff',
  );
  expect(titleOf({ kind: 'answer', questionId: '9', how: 'equals', to: 'No' })).toBe(
    'When a scan has the answer No to question 9',
  );
  expect(titleOf({ kind: 'answer', how: 'equals', to: 'No' })).toBe('When a scan has the answer No');
});

it('a rule’s title is its name, else the label of its only trigger, else its conditions', () => {
  const late = { kind: 'result', is: 'late' };
  expect(titleOf(late, { name: 'Mara' })).toBe('Mara');
  expect(titleOf(late, { name: ' ' })).toBe('Late scans');
  expect(titleOf(late, { unless: [{ kind: 'from', what: 'user', ids: ['702'] }] })).toBe(
    'When a scan is late, unless it is scanned by mara.gate',
  );
});

it('a rule’s description says that quiet hours of the whole week, from an older version, delay no post', () => {
  const described = (days: number[]) =>
    describeDelivery(
      ruleSchema.parse({
        ...{ id: 'r1', channel: 'C1', when: { kind: 'every' } },
        quiet: { zone: 'UTC', days, from: '08:00', to: '08:00' },
      }),
    );
  expect(described([1, 2, 3, 4, 5, 6, 7])).toContain(
    'quiet hours every day, around the clock (UTC), which hold nothing',
  );
  expect(described([6, 7])).not.toContain('hold nothing');
});

it('a rule’s sentence says whom the rule mentions, and after how long, if nobody acknowledges its alert', () => {
  const escalate = { minutes: 90, users: ['U1', 'U2'], groups: ['S1', 'S2'] };
  const rule = ruleSchema.parse({
    ...{ id: 'r1', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 10 }, escalate },
  });
  expect(JSON.stringify(richText(ruleSentence(rule)))).toContain(
    '{"type":"user","user_id":"U2"},{"type":"text","text":" "},{"type":"usergroup","usergroup_id":"S1"},' +
      '{"type":"text","text":" and 1 more if nobody acknowledges it within 90 minutes"}',
  );
  expect(describeDelivery(rule)).toBe('escalates after 90 minutes: mentions <@U1> <@U2> <!subteam^S1> <!subteam^S2>');
  expect(storedRule(rule)).toMatchObject({ escalate });
  expect(storedRule({ ...rule, escalate: undefined })).not.toHaveProperty('escalate.minutes');
});
