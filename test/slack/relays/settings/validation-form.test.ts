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
    'the validation form set to “%s” says once that a result of the service’s own validation stays',
    (kind) => {
      expect(shown({ kind }).split('If the service already validated a scan')).toHaveLength(2);
    },
  );

  it('the validation form says when counting starts for a total limit, and not for a limit per barcode', () => {
    const from = 'Counting starts when you first save this limit.';
    expect(shown({ limit: 'relay' })).toContain(from);
    expect(shown({ limit: 'value' })).not.toContain(from);
  });
});
