/** The age and the doubt of an answer, which are a part of its title: no surface that shows the title drops them. */
import { describe, expect, it } from 'vitest';
import { headlineOf, type Lookup } from '../../../src/lookup/index.js';
import { lookupPage } from '../../../src/pages/lookup.js';
import { lookupCard } from '../../../src/slack/lookup/card/card.js';
import { recentBlocks } from '../../../src/slack/lookup/form/recent-rows.js';
import { severalAnswer } from '../../../src/slack/lookup/several/lines.js';
import { severalCard } from '../../../src/slack/lookup/several/several-card.js';
import { read } from '../block-kit/reading.js';
import { absent, known, lookup, noon, scan } from './lookup-samples.js';

const hour = 60 * 60_000;
const unconfirmed = (hours: number) => ({
  ...{ values: noon - hours * hour, scans: noon - hours * hour, why: { code: 'account.unreachable' } as const },
});

const rows: readonly (readonly [string, Lookup])[] = [
  ['not valid', lookup({ findings: [known('Tickets', false, 'Not paid')], asOf: unconfirmed(9) })],
  ['already used', lookup({ scans: [scan({ at: noon - 7 * hour })], asOf: unconfirmed(6) })],
  [
    'refused by its last scan',
    lookup({ scans: [scan({ at: noon - 7 * hour, status: 'invalid', result: 'Wrong day' })], asOf: unconfirmed(6) }),
  ],
  ['valid', lookup({ asOf: unconfirmed(6) })],
];

const several = (it: Lookup) =>
  severalAnswer(
    { results: [{ kind: 'answered', value: it.value, lookup: it }], leftOut: [], parted: false },
    noon,
    undefined,
  );

describe.each(rows)('a barcode that is %s by a copy some hours old, while the account gives no answer', (_, it_) => {
  const title = headlineOf(it_);
  it.each([
    ['a card', () => read(lookupCard(it_, { data: { value: it_.value } }).blocks)],
    ['the fallback text of a card', () => lookupCard(it_).text],
    ['a shared card', () => read(lookupCard(it_, { sharedBy: 'U1', now: noon }).blocks)],
    ['a card of several', () => read(severalCard(several(it_)).blocks)],
    [
      'a recent lookup',
      () =>
        read(
          recentBlocks([{ value: 'A', kind: title.kind, at: noon, asOf: title.dated?.at, doubt: title.dated?.after }]),
        ),
    ],
    [
      'the page for devices',
      () => lookupPage({ barcode: it_.value, known: { ...it_, headline: title } as never, now: noon }).body.html,
    ],
  ])('%s says as of when it is known, and that nobody confirmed it', (_surface, draw) => {
    expect(draw()).toMatch(/as of /i);
    expect(draw()).toMatch(/not confirmed/);
  });
});

describe.each([
  ['not valid', { findings: [known('Tickets', false, '<!channel> *now* & `x`')] }],
  ['valid in one database alone', { findings: [known('<!channel> *now*', false), known('<@U2>', true)] }],
  ['unknown', { findings: [absent('<!channel> *now*')] }],
] as const)('outside text in the title of a barcode that is %s', (_, facts) => {
  const hostile = lookup({ ...facts, asOf: { values: noon - hour, scans: noon - hour } });
  it.each([
    ['a card', (now: number) => lookupCard(hostile, { data: { value: hostile.value }, now })],
    ['a shared card', (now: number) => lookupCard(hostile, { sharedBy: 'U1', now })],
    ['a card of several', (now: number) => severalCard(several(hostile), { now })],
    ['a shared card of several', (now: number) => severalCard(several(hostile), { sharedBy: 'U1', now })],
  ])('is never markup in %s, with an age or without', (_surface, draw) => {
    for (const now of [noon, noon + 8 * hour]) {
      const { text, blocks } = draw(now);
      const markup = blocks.flatMap((block) => mrkdwnIn(block)).join('\n');
      expect(markup).toMatch(/as of /i);
      for (const drawn of [text, markup]) {
        expect(drawn).not.toMatch(/<!channel>|<@U2>|[*]now[*]|`x`/);
      }
    }
  });
});

/** The texts of a block in which Slack reads markup. */
function mrkdwnIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) {
    return [];
  }
  const own = 'type' in part && part.type === 'mrkdwn' && 'text' in part ? [String(part.text)] : [];
  return [...own, ...Object.values(part).flatMap(mrkdwnIn)];
}

describe('a stored card that is drawn again later', () => {
  const later = (hours: number) => noon + hours * hour;
  const fresh = lookup({ gates: [{ relay: false, id: '1', name: 'G', databaseIds: ['T'], serviceIds: ['1'] }] });

  it('a card shared within a minute has no age', () => {
    expect(lookupCard(fresh, { sharedBy: 'U1', now: noon + 59_000 }).text).toBe(
      '`00123`: ✅ Valid, no admission on record',
    );
  });

  it.each([
    ['a card', (hours: number) => lookupCard(fresh, { sharedBy: 'U1', now: later(hours) }).text],
    ['a card of several', (hours: number) => read(severalCard(several(fresh), { now: later(hours) }).blocks)],
  ])('%s shared later says as of when it was looked up, and has no tick once that is too old', (_, draw) => {
    expect(draw(0.1)).toMatch(/✅ Valid, no admission on record, <!date/);
    expect(draw(8)).toMatch(/⚠️ Valid.* <!date[^>]+>, not confirmed/);
    expect(draw(8)).not.toContain('✅');
  });

  it.each([
    ['a card', (given: Lookup, now: number) => lookupCard(given, { sharedBy: 'U1', now }).text],
    ['a card of several', (given: Lookup, now: number) => read(severalCard(several(given), { now }).blocks)],
  ])('%s shared later has a tick for as long as the setting GREEN_MINUTES allows', (_, draw) => {
    const patient = lookup({ gates: fresh.gates, asOf: { values: noon, scans: noon, greenMs: 3 * hour } });
    expect(draw(patient, later(2))).toContain('✅ Valid');
    expect(draw(patient, later(3))).not.toContain('✅');
  });

  it('a card of an unknown barcode shared later stays unknown, with its age', () => {
    const unknown = lookup({ findings: [absent('Tickets')] });
    expect(lookupCard(unknown, { sharedBy: 'U1', now: later(8) }).text).toMatch(/❔ Unknown: not in .*<!date/);
  });
});
