import { describe, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../../src/relay/index.js';
import {
  type ValidationDraft,
  validationDraft,
  validationView,
} from '../../../../src/slack/relays/settings/validation/form.js';

const usual = validationDraft({ ...relaySettingsSchema.parse({}), databaseOption: () => undefined });
const shown = (draft: Partial<ValidationDraft>) =>
  JSON.stringify(
    validationView({ ...usual, ...draft }, { metadata: '{}', more: false, preview: [], span: 'last' }).blocks,
  );

describe('the form of validation', () => {
  it.each(['accept', 'database', 'list', 'pattern'] as const)(
    'the form of validation by %s says that the service’s own validation still applies',
    (kind) => {
      expect(shown({ kind }).split('If the service already validated a scan')).toHaveLength(2);
    },
  );

  it('the form of validation says that counting starts when a total limit is saved, and not so for a limit by barcode', () => {
    const from = 'Counting starts when you first save this limit.';
    expect(shown({ limit: 'relay' })).toContain(from);
    expect(shown({ limit: 'value' })).not.toContain(from);
  });
});
