import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { noNames } from '../../../src/codereadr/names.js';
import { operations } from '../../../src/codereadr/operations/index.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { auditView, titleOf } from '../../../src/slack/audit-log/audit-view.js';
import type { AuditNames } from '../../../src/slack/audit-log/describe-entry.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { hostileText, noon } from '../lookup/lookup-samples.js';

const row = (more: object) => ({
  id: 'a',
  at: noon,
  who: 'U0ADA',
  where: 'C0GENERAL',
  what: 'services/update',
  detail: {},
  outcome: 'ok',
  ...more,
});
const unnamed: AuditNames = { resource: noNames, relay: () => undefined, rule: () => undefined };
const view = (rows: ReturnType<typeof row>[]) =>
  auditView({ rows, hasOlder: true, metadata: {}, names: unnamed, days: 400 });

const ownFields = [
  ...['relay', 'relayId', 'ruleId', 'kind', 'channel', 'until', 'serviceIds', 'serviceName', 'notable', 'now'],
  ...['judging', 'answers', 'questions', 'rules', 'added', 'match', 'networks', 'names', 'hours', 'databases'],
];

describe('the audit’s window', () => {
  wideIt('the audit window fits Slack’s limits and never formats outside text, whatever was changed', () => {
    const names = operations.flatMap(({ section, action }) => `${section}/${action}`);
    const detail = fc.dictionary(
      fc.oneof(
        fc.constantFrom('database_id', 'value', 'was', 'id', 'undoes', 'service_id', ...ownFields),
        hostileText(60),
      ),
      fc.oneof(
        hostileText(3000),
        fc.boolean(),
        fc.integer(),
        fc.array(hostileText(50)),
        fc.dictionary(hostileText(20), hostileText(300)),
      ),
      { maxKeys: 30 },
    );
    const any = fc.record({
      what: fc.oneof(
        fc.constantFrom(...names, 'relay/pause', 'relay/rules', 'relay/mute', 'workspace/access'),
        hostileText(60),
      ),
      where: fc.constantFrom('C0GENERAL', 'G0PRIVATE', 'D0DIRECT', 'home', 'modal'),
      who: fc.constantFrom('U0ADA', 'system'),
      outcome: fc.oneof(
        fc.constantFrom('ok', 'account.slow', 'account.refused 216', 'account.refused 9999'),
        hostileText(40),
      ),
      detail,
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), (rows) => {
        const shown = view(rows.map(row));
        expect(checkView(shown, systemRandom)).toMatchObject({ ok: true });
        expect(shownTexts(shown.blocks).filter(({ how }) => how === 'mrkdwn')).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });

  it('the title of an audit entry is that of its operation, or an unknown action’s name in words', () => {
    for (const operation of operations) {
      expect(titleOf(`${operation.section}/${operation.action}`)).toBe(operation.title);
    }
    expect(titleOf('relay/quiet_hours')).toBe('Relay: quiet hours');
  });

  it('the audit window shows a barcode of 100 characters in full, with its control character', () => {
    const value = ` ${'x'.repeat(98)}\u001d`;
    const text = read(view([row({ what: 'databases/addvalue', detail: { value } })]).blocks);
    expect(text).toContain(` ${'x'.repeat(98)}␝`);
  });
});
