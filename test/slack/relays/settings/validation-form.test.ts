import { describe, expect, it } from 'vitest';
import type { RelaySettings } from '../../../../src/relay/index.js';
import { validation } from '../../../../src/slack/relays/settings/validation/validation.js';
import { openOn } from './form-on.js';

const shown = async (settings: Partial<RelaySettings>) => JSON.stringify((await openOn(validation, settings)).blocks);

describe('the form of validation', () => {
  const kinds: readonly RelaySettings['judging'][] = [
    { kind: 'accept' },
    {
      ...{ kind: 'database', databaseIds: ['1'], unknown: 'accept', liveShare: 30, budgetMs: 3_000, readings: false },
    },
    { kind: 'list', values: ['1'], exact: true, listed: 'valid' },
    { kind: 'pattern', pattern: '^1', matching: 'valid' },
  ];
  it.each(kinds)(
    'the validation form set to “$kind” says once that a result of the service’s own validation stays',
    async (judging) => {
      expect((await shown({ judging })).split('If the service already validated a scan')).toHaveLength(2);
    },
  );

  it('the validation form says when counting starts for a total limit, and not for a limit per barcode', async () => {
    const from = 'Counting starts when you first save this limit.';
    expect(await shown({ atMost: { n: 1, of: 'relay' } })).toContain(from);
    expect(await shown({ atMost: { n: 1, of: 'value' } })).not.toContain(from);
  });
});
