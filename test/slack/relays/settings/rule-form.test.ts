import { describe, expect, it } from 'vitest';
import { type RuleDraft, ruleForm } from '../../../../src/slack/relays/settings/rules/fields.js';
import { ruleView } from '../../../../src/slack/relays/settings/rules/rule-form.js';

const usual = ruleForm.draft({ rule: undefined, channel: 'C0', zone: undefined, nameOf: () => undefined });
const shown = (draft: Partial<RuleDraft>) =>
  JSON.stringify(
    ruleView(
      { ...usual, ...draft },
      { metadata: '{}', changing: false, more: false, groupsOffered: false, preview: [] },
    ).blocks,
  );

describe('the form of a rule', () => {
  it('says from when scans count that nobody has counted before', () => {
    const from = 'Counting starts when you first save this rule.';
    for (const of of ['relay', 'device', 'user', 'service'] as const) {
      expect(shown({ when: 'nth', 'nth.of': of })).toContain(from);
    }
    expect(shown({ when: 'nth', 'nth.of': 'value' })).not.toContain(from);
  });
});
