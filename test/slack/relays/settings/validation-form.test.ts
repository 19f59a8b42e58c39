import { describe, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../../src/relay/index.js';
import { type JudgingDraft, judgingDraft } from '../../../../src/slack/relays/settings/validation/draft.js';
import { judgingView } from '../../../../src/slack/relays/settings/validation/form.js';

const usual = judgingDraft(relaySettingsSchema.parse({}), { names: () => undefined });
const shown = (draft: Partial<JudgingDraft>) =>
  JSON.stringify(judgingView({ ...usual, ...draft }, { notes: '{}', more: false }).blocks);

describe('the form of judging', () => {
  it.each(['accept', 'database', 'list', 'pattern'] as const)(
    'says, judging by %s, that the service’s own validation stays as it is',
    (kind) => {
      expect(shown({ kind }).split('If the service already validated a scan')).toHaveLength(2);
    },
  );

  it('says from when scans count that nobody has counted before', () => {
    const from = 'Counting starts when you first save this limit.';
    expect(shown({ limit: 'relay' })).toContain(from);
    expect(shown({ limit: 'value' })).not.toContain(from);
  });
});
