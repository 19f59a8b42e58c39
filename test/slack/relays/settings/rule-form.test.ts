import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/relay/index.js';
import { formStateIn } from '../../../../src/slack/forms/view-state.js';
import { contentForm } from '../../../../src/slack/relays/settings/rules/rule-content.js';
import {
  addLine,
  linesFor,
  type RuleLines,
  removeLine,
  shownConditions,
} from '../../../../src/slack/relays/settings/rules/rule-lines.js';
import { blocksOf, readUntouched, ruleOf, savedUntouched } from './untouched.js';

const hours = { zone: 'Europe/Berlin', days: [1, 5], from: '18:00', to: '23:00' };
const shown = (rule: Rule | undefined, lines?: RuleLines) => JSON.stringify(blocksOf(rule, lines));

/** The menu of triggers of one line. */
const triggerOf = (line: number, rule: Rule | undefined, lines: RuleLines) =>
  JSON.stringify(blocksOf(rule, lines).find(({ block_id: id }) => id === `rule.${line}.when`));

const optionOf = (value: string) => ({ text: { type: 'plain_text', text: 'x' }, value });

describe('the form of a rule', () => {
  it('a rule’s form says that counting starts at saving, by barcode only if there are other conditions', () => {
    const from = 'Counting starts when you first save this rule.';
    const nth = (of: string) => ruleOf({ when: { kind: 'nth', n: 3, of } });
    for (const of of ['relay', 'device', 'user', 'service']) {
      expect(shown(nth(of))).toContain(from);
    }
    expect(shown(nth('value'))).not.toContain(from);
    expect(shown(nth('value'))).toContain('With other conditions, counting starts when you first save this rule.');
  });

  it('an alert’s form says when its one live message is over, and when it is posted again', () => {
    expect(shown(ruleOf({ when: { kind: 'burst', n: 3, minutes: 10 } }))).toContain(
      'One live message. It’s over after this long without a scan that is not valid.',
    );
    expect(shown(ruleOf({ when: { kind: 'silence', of: 'relay', minutes: 10, hours } }))).toContain(
      'One live message until a scan arrives. When its hours begin again, it’s posted again.',
    );
    const always = { ...hours, days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
    const aroundTheClock = shown(ruleOf({ when: { kind: 'silence', of: 'relay', minutes: 10, hours: always } }));
    expect(aroundTheClock).toContain('One live message until a scan arrives.');
    expect(aroundTheClock).not.toContain('begin again');
  });

  it.each([
    [
      'a rule with the most conditions and exceptions, some of the same kind',
      {
        when: [
          { kind: 'result', is: 'invalid' },
          { kind: 'from', what: 'service', ids: ['101', '102'] },
          { kind: 'from', what: 'device', ids: ['D1'] },
          { kind: 'property', name: 'zone', how: 'contains', to: 'x' },
          { kind: 'property', name: 'weight', how: 'above', to: '2.5' },
        ],
        unless: [
          { kind: 'from', what: 'user', ids: ['7'] },
          { kind: 'value', is: ['0012'], exact: false },
          { kind: 'value', is: ['b'] },
          { kind: 'outside_hours', hours },
          { kind: 'within_hours', hours },
        ],
        mention: { users: ['U1'], groups: ['S1'] },
        how: 'digest',
        digestMinutes: 5,
        quiet: hours,
        name: 'Evening',
      },
    ],
    [
      'a rule whose first condition counts scans',
      {
        when: [
          { kind: 'burst', n: 3, minutes: 10 },
          { kind: 'value_pattern', pattern: '^A' },
        ],
        unless: [{ kind: 'watched' }],
        escalate: { minutes: 15, users: ['U1'], groups: ['S1'] },
      },
    ],
    [
      'a rule whose action is to stop',
      { when: { kind: 'every' }, unless: [{ kind: 'first_seen' }], action: 'stop', channel: '' },
    ],
    [
      'a rule about missing scans',
      {
        when: { kind: 'silence', of: 'device', ids: ['D1'], minutes: 5, hours },
        escalate: { minutes: 5, users: ['U2'], groups: [] },
      },
    ],
  ])('a rule’s form, submitted unchanged, saves the whole rule: %s', (_, fields) => {
    const rule = ruleOf(fields);
    expect(savedUntouched(rule)).toEqual(rule);
  });

  it('a rule’s form adds up to five conditions and five exceptions, and cannot remove the first condition', () => {
    let lines = linesFor(shownConditions(undefined));
    for (let n = 0; n < 9; n++) {
      lines = addLine(addLine(lines, 'when'), 'unless');
    }
    expect(lines.when).toHaveLength(5);
    expect(lines.unless).toHaveLength(5);
    const [, second = 0] = lines.when;
    expect(removeLine(removeLine(lines, second), 0).when).toEqual(lines.when.filter((line) => line !== second));
    expect(new Set([...lines.when, ...lines.unless]).size).toBe(10);
    expect(blocksOf(undefined, lines).length).toBeLessThanOrEqual(100);
  });

  it('a rule’s form names each block of buttons uniquely, and keeps the names when a condition is added', () => {
    const lines = addLine(addLine(linesFor(shownConditions(undefined)), 'when'), 'unless');
    const buttons = [lines, addLine(lines, 'when')].map((each) =>
      blocksOf(undefined, each).flatMap((block) => (block.type === 'actions' ? (block.block_id ?? 'unnamed') : [])),
    );
    expect(buttons[0]).not.toContain('unnamed');
    expect(buttons[0]!.length).toBeGreaterThan(2);
    expect(buttons[1]).toEqual(expect.arrayContaining(buttons[0]!));
    expect(new Set(buttons[1]).size).toBe(buttons[1]!.length);
  });

  it('a rule’s form does not offer the triggers every scan, nth scan, burst and silence for a second condition', () => {
    const second = triggerOf(1, undefined, addLine(linesFor(shownConditions(undefined)), 'when'));
    for (const value of ['every', 'nth', 'burst', 'silence']) {
      expect(second).not.toContain(`"value":"${value}"`);
    }
    expect(second).toContain('"value":"answer"');
  });

  it('the form of an alert offers no condition on answers, which come after the scan was counted', () => {
    const burst = ruleOf({ when: { kind: 'burst', n: 3, minutes: 10 } });
    const second = triggerOf(1, burst, addLine(linesFor(shownConditions(burst)), 'when'));
    expect(second).toContain('"value":"value"');
    expect(second).not.toContain('"value":"answer"');
  });

  it.each([
    { kind: 'burst', n: 3, minutes: 10 },
    { kind: 'silence', of: 'relay', minutes: 5, hours },
  ])('the form of an alert ($kind) offers no way to post but at once, no workflow and no stop', (when) => {
    const alert = shown(ruleOf({ when }));
    for (const words of ['One message per scan', 'Digest', 'Post the scan', 'Start a workflow', 'Stop here']) {
      expect(alert).not.toContain(words);
      expect(shown(undefined)).toContain(words);
    }
  });

  it('the form of an alert, as an older version drew it with its trigger in the menu, is read as an alert', () => {
    const chosen = {
      type: 'static_select',
      selected_option: { text: { type: 'plain_text', text: 'x' }, value: 'burst' },
    };
    const number = (value: string) => ({ x: { type: 'number_input', value } });
    const values = {
      'rule.when': { x: chosen },
      ...{ 'rule.burst': number('3'), 'rule.burst.minutes': number('10') },
      'rule.channel': { x: { type: 'conversations_select', selected_conversation: 'C1' } },
    };
    const errors = {};
    const read = contentForm(linesFor(shownConditions(undefined))).read(
      formStateIn({ state: { values } } as never),
      errors,
    );
    expect([errors, read.when]).toEqual([{}, [{ kind: 'burst', n: 3, minutes: 10 }]]);
  });

  it('a rule’s form refuses a list of batches that is empty, or has one longer than a rule can hold', () => {
    const errorsOf = (typed: string) => {
      const values = {
        'rule.about': { x: { type: 'radio_buttons', selected_option: optionOf('scan') } },
        'rule.when': { x: { type: 'static_select', selected_option: optionOf('batch') } },
        'rule.batches': { x: { type: 'plain_text_input', value: typed } },
        'rule.channel': { x: { type: 'conversations_select', selected_conversation: 'C1' } },
      };
      const errors = {};
      contentForm(linesFor(shownConditions(undefined))).read(formStateIn({ state: { values } } as never), errors);
      return errors;
    };
    expect(errorsOf('L1')).toEqual({});
    expect(errorsOf('')).toEqual({ 'rule.batches': 'Enter at least one batch.' });
    expect(errorsOf(`L1\n${'9'.repeat(101)}`)).toEqual({ 'rule.batches': 'A batch has at most 100 characters.' });
  });

  it('a rule’s form asks whom to mention if nobody acknowledges an alert, and refuses an escalation to nobody', () => {
    const burst = ruleOf({ when: { kind: 'burst', n: 3, minutes: 10 } });
    expect(shown(burst)).toContain('If nobody acknowledges it, mention someone else');
    expect(shown(burst)).not.toContain('Escalate after');
    expect(shown(undefined)).not.toContain('Escalation');
    const to = (people: object) => ({ ...burst, escalate: { minutes: 15, users: [], groups: [], ...people } });
    expect(shown(to({ users: ['U1'] }))).toContain('"initial_value":"15"');
    expect(readUntouched(to({}), linesFor(burst))).toMatchObject({
      errors: { 'rule.escalate.users': 'Choose at least one person or user group.' },
    });
  });

  it('a rule’s form says what becomes of quiet hours: a digest of scans, an alert posted at their end, no scans expected', () => {
    const digest = 'One digest is sent when they end.';
    expect(shown(ruleOf({ when: { kind: 'every' } }))).toContain(digest);
    const burst = shown(ruleOf({ when: { kind: 'burst', n: 3, minutes: 10 } }));
    expect(burst).toContain('An alert that opens meanwhile is posted when they end.');
    const silence = shown(ruleOf({ when: { kind: 'silence', of: 'relay', minutes: 5, hours } }));
    expect(silence).toContain('No scans are expected meanwhile.');
    expect(burst + silence).not.toContain(digest);
  });

  it('a rule’s form drops the escalation when the rule’s trigger changes from an alert to every scan', () => {
    const burst = ruleOf({
      when: { kind: 'burst', n: 3, minutes: 10 },
      escalate: { minutes: 15, users: ['U1'], groups: [] },
    });
    const every = ruleOf({ when: { kind: 'every' } });
    const read = readUntouched(every);
    expect(read.change?.(burst, 'r1').escalate).toBeUndefined();
  });

  it('a rule’s form offers to add a condition, but not in a rule about missing scans', () => {
    const silence = ruleOf({ when: { kind: 'silence', of: 'relay', minutes: 5, hours } });
    expect(shown(silence)).not.toContain('Add a condition');
    expect(shown(undefined)).toContain('Add a condition');
  });

  it('a rule’s form saves whether an alert’s changes are also posted in the channel, for alert rules only', () => {
    const loud = ruleOf({ when: { kind: 'burst', n: 3, minutes: 10 }, broadcast: true });
    const change = (rule: Rule, before = rule) => {
      const read = readUntouched(rule);
      return read.change ? read.change(before, 'r1') : undefined;
    };
    expect(shown(loud)).toContain('Also tell the channel when it gets worse or is over');
    expect(change(loud)).toMatchObject({ broadcast: true });
    const { broadcast: _, ...silent } = loud;
    expect(change(silent)!.broadcast).toBeUndefined();
    expect(change(ruleOf({ when: { kind: 'every' } }), loud)!.broadcast).toBeUndefined();
  });

  it('a rule’s form refuses quiet hours that never end, and accepts a whole day or all but a minute a day', () => {
    const whole = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
    const errorsOf = (quiet: object) => {
      const rule = ruleOf({ when: { kind: 'every' }, quiet });
      return readUntouched(rule);
    };
    expect(errorsOf(whole)).toMatchObject({ errors: { 'rule.quiet.hours.to': expect.stringContaining('never end') } });
    expect(errorsOf({ ...whole, days: [1] })).not.toHaveProperty('errors');
    expect(errorsOf({ ...whole, to: '23:59' })).not.toHaveProperty('errors');
  });
});
