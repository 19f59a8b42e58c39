import { expect, it } from 'vitest';
import { type Condition, conditionSchema, ruleSchema, storedRule } from '../../../src/relay/index.js';
import {
  describeCondition,
  describeDelivery,
  ruleTitle,
} from '../../../src/slack/channel-posts/describe/describe-rule.js';
import { ruleSentence } from '../../../src/slack/channel-posts/describe/rule-sentence.js';

const names = new Map([
  ['device a3f1', 'Gate A phone'],
  ['user 702', 'mara.gate'],
  ['question 381', 'Wristband handed out?'],
]);
const nameOf = (kind: string, id: string) => names.get(`${kind} ${id}`);
const when = (condition: unknown): Condition => conditionSchema.parse(condition);
const words = (condition: unknown) => describeCondition(when(condition), nameOf);

it('names hours after the place as it is called today, whichever spelling is stored', () => {
  for (const zone of ['Europe/Kiev', 'Europe/Kyiv']) {
    const hours = { zone, days: [1], from: '08:00', to: '18:00' };
    expect(words({ kind: 'outside_hours', hours })).toContain('(Kyiv)');
  }
});

it('speaks of devices, users, services and questions by their names', () => {
  expect(words({ kind: 'from', what: 'device', ids: ['a3f1'] })).toBe('From Gate A phone');
  expect(words({ kind: 'from', what: 'user', ids: ['702'] })).toBe('From mara.gate');
  expect(words({ kind: 'answer', questionId: '381', how: 'equals', to: 'No' })).toBe('“Wristband handed out?” is No');
  const hours = { zone: 'Europe/Berlin', days: [1], from: '08:00', to: '18:00' };
  expect(words({ kind: 'silence', of: 'device', ids: ['a3f1'], minutes: 15, hours })).toMatch(
    /^No scan from Gate A phone for 15 minutes/,
  );
});

it('says of what kind an id is where no name is known of it', () => {
  expect(words({ kind: 'from', what: 'device', ids: ['a3f1', 'b77e'] })).toBe('From Gate A phone, unnamed device b77e');
  expect(words({ kind: 'from', what: 'device', ids: ['b77e', 'c0ff'] })).toBe('From unnamed devices b77e, c0ff');
  expect(words({ kind: 'answer', questionId: '9', how: 'equals', to: 'No' })).toBe('Answer to question 9 is No');
  expect(words({ kind: 'answer', how: 'equals', to: 'No' })).toBe('Answer is No');
});

it('prefers the name that a rule was given', () => {
  const rule = { name: ' ', when: [when({ kind: 'from', what: 'user', ids: ['702'] })], unless: [] };
  expect(ruleTitle(rule, nameOf)).toBe('From mara.gate');
  expect(ruleTitle({ ...rule, name: 'Mara' }, nameOf)).toBe('Mara');
});

it('says whom a rule mentions when nobody acknowledges, and when', () => {
  const escalate = { minutes: 90, users: ['U1', 'U2'], groups: ['S1', 'S2'] };
  const rule = ruleSchema.parse({
    ...{ id: 'r1', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 10 }, escalate },
  });
  expect(JSON.stringify(ruleSentence(rule))).toContain(
    '{"type":"user","user_id":"U2"},{"type":"text","text":" "},{"type":"usergroup","usergroup_id":"S1"},' +
      '{"type":"text","text":" and 1 more if nobody acknowledges it within 90 minutes"}',
  );
  expect(describeDelivery(rule)).toBe('escalates after 90 minutes: mentions <@U1> <@U2> <!subteam^S1> <!subteam^S2>');
  expect(storedRule(rule)).toMatchObject({ escalate });
  expect(storedRule({ ...rule, escalate: undefined })).not.toHaveProperty('escalate.minutes');
});
