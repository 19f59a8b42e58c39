import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { checkMessageBlocks, checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { lookupCard } from '../../../src/slack/lookup/card/card.js';
import { knownIn } from '../../../src/slack/lookup/card/card-changes.js';
import { editView } from '../../../src/slack/lookup/edit/edit-response-view.js';
import type { CardChange } from '../../../src/slack/lookup/record-store.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { absent, anyLookup, hostileText, known, lookup, noon } from './lookup-samples.js';

const own = { data: { value: 'x', kept: 'card' }, mayChange: true };

interface Element {
  readonly type: string;
  readonly text?: { readonly text: string };
  readonly options?: readonly { readonly text: { readonly text: string } }[];
}

function elements(...args: Parameters<typeof lookupCard>): string[] {
  const found = lookupCard(...args).blocks.flatMap((block) =>
    block.type === 'actions' ? (block.elements as Element[]) : [],
  );
  return found.flatMap(({ text, options }) => text?.text ?? options?.map((each) => `⋯ ${each.text.text}`) ?? []);
}

const change = (more: Partial<CardChange> = {}): CardChange => ({
  what: 'changed',
  database: { id: '1', name: 'Tickets' },
  value: '00123',
  before: { valid: true, response: 'Welcome' },
  after: { valid: false, response: 'Welcome' },
  by: 'U0ADA',
  at: noon,
  ...more,
});

describe('a card’s buttons for changes', () => {
  it.each([
    ['one database', [known('A', true)], [], ['Share here', '⋯ Edit response', '⋯ Mark not valid']],
    [
      'one database that marks it not valid',
      [known('A', false)],
      [],
      ['Share here', '⋯ Edit response', '⋯ Mark valid'],
    ],
    [
      'one of two databases',
      [known('A', true), absent('B')],
      [],
      ['Share here', '⋯ Edit response', '⋯ Mark not valid', '⋯ Add to another database'],
    ],
    [
      'two databases with different validity',
      [known('A', true), known('B', false)],
      [{ id: 'C', name: 'C' }],
      ['Share here', '⋯ Edit response', '⋯ Mark not valid in A', '⋯ Mark valid in B', '⋯ Add to another database'],
    ],
    [
      'more databases than a menu holds',
      ['A', 'B', 'C', 'D'].map((name) => known(name, true)),
      [{ id: 'E', name: 'E' }],
      ['Share here', '⋯ Edit response', '⋯ Add to another database'],
    ],
    ['no database', [absent('A')], [], ['Share here', 'Add to database']],
    ['an account without databases', [], [], ['Share here']],
  ] as const)(
    'a card for people with access has the buttons that fit a barcode in %s',
    (_, findings, notAsked, offered) => {
      expect(elements(lookup({ findings, notAsked }), own)).toEqual(offered);
    },
  );

  it('a card for people without access has no buttons for changes', () => {
    expect(elements(lookup({ findings: [absent('A')] }), { data: { value: 'x' } })).toEqual(['Share here']);
  });

  it('a card says that the account cannot store a barcode of 101 characters, and offers no change', () => {
    const long = lookup({ value: 'x'.repeat(101), findings: [absent('A')] });
    expect(elements(long, own)).toEqual(['Share here']);
    expect(read(lookupCard(long, own).blocks)).toContain('barcodes of up to 100 characters');
  });

  it('a card offers to undo the last change, and asks for confirmation if Undo deletes the barcode', () => {
    expect(elements(lookup(), { ...own, change: change() })[0]).toBe('Undo');
    const blocks = lookupCard(lookup(), { ...own, change: change({ what: 'added', before: undefined }) }).blocks;
    expect(JSON.stringify(blocks)).toContain('This deletes 00123 and its response from Tickets.');
    for (const what of ['undone', 'stands'] as const) {
      expect(elements(lookup(), { ...own, change: change({ what }) })).not.toContain('Undo');
    }
  });
});

describe('a card’s line on the last change', () => {
  it.each([
    [change(), 'marked it not valid in Tickets'],
    [change({ after: { valid: true, response: 'New' } }), 'changed the response in Tickets'],
    [change({ after: { valid: false, response: 'New' } }), 'changed the response and marked it not valid in Tickets'],
    [change({ what: 'added', before: undefined }), 'added this barcode to Tickets'],
    [change({ what: 'undone' }), 'undid a change in Tickets'],
    [change({ what: 'stands' }), 'Nothing was changed. Someone else changed this barcode in Tickets in the meantime.'],
  ])('a card’s line on the last change says what was done, and by whom and when if it was made: $1', (done, words) => {
    const { blocks } = lookupCard(lookup(), { sharedBy: 'U0MIA', change: done });
    expect(read(blocks)).toContain(words);
    if (done.what !== 'stands') {
      expect(JSON.stringify(blocks)).toContain('"user_id":"U0ADA"');
      expect(JSON.stringify(blocks)).toContain(`"timestamp":${noon / 1000}`);
    }
  });

  wideIt('a card’s line on the last change and the edit window fit Slack’s limits, whatever the account sends', () => {
    const anyChange = fc.record({
      what: fc.constantFrom('changed', 'added', 'undone', 'stands'),
      database: fc.record({ id: hostileText(30), name: hostileText(300) }),
      value: hostileText(200),
      by: fc.constant('U0ADA'),
      at: fc.constant(noon),
    }) as fc.Arbitrary<CardChange>;
    fc.assert(
      fc.property(anyLookup, anyChange, (any, done) => {
        const checked = checkMessageBlocks(lookupCard(any, { ...own, change: done }).blocks, systemRandom);
        expect(checked).toMatchObject({ ok: true });
        const window = knownIn(any);
        if (window.length > 0) {
          const notes = { card: 'x'.repeat(16), place: 'x'.repeat(16), database: window[0]!.database.id };
          const view = editView({ known: window, metadata: notes, notice: done.value || 'x' });
          expect(checkView(view, systemRandom)).toMatchObject({ ok: true });
          expect(
            shownTexts(view)
              .filter(({ how }) => how === 'mrkdwn')
              .map(({ text }) => text),
          ).toEqual(window.length > 1 ? ['Database'] : []);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the window for editing a response', () => {
  it('the window for editing a response contains the database’s response, letter by letter', () => {
    const finding = { ...known('A', false, '*not* bold\n<!here>'), kind: 'known' } as Parameters<
      typeof editView
    >[0]['known'][0];
    const view = JSON.stringify(editView({ known: [finding], metadata: { card: 'c', database: 'A' } }));
    expect(view).toContain(JSON.stringify('*not* bold\n<!here>').slice(1, -1));
    expect(view).toMatch(/"initial_option":\{"text":\{[^}]*"Not valid"/);
  });

  it('the window for editing leaves out a response of 3,001 characters, and says that it is too long to show', () => {
    const finding = { ...known('A', true, 'x'.repeat(3_001)), kind: 'known' } as Parameters<
      typeof editView
    >[0]['known'][0];
    const view = JSON.stringify(editView({ known: [finding], metadata: { card: 'c', database: 'A' } }));
    expect(view).not.toContain('initial_value');
    expect(view).toContain('3,001 characters, too many to show here');
  });
});
