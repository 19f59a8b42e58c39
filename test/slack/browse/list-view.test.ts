import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { allowedActions, itemActions, listActions, splitMenu } from '../../../src/slack/browse/item-actions.js';
import { type ListView, listView, moreView } from '../../../src/slack/browse/list-view.js';
import { type ListKind, listKinds } from '../../../src/slack/browse/metadata.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { anyLookup, hostileText, scan } from '../lookup/lookup-samples.js';
import { drawMrkdwn } from '../mrkdwn.js';

const list = (kind: ListKind, rows: ListView['rows'], more: Partial<ListView> = {}): ListView => ({
  metadata: { list: kind },
  rows,
  itemActions: itemActions[kind],
  listActions: listActions[kind],
  summary: 'All of them.',
  ...more,
});

const thing = fc.record({
  id: fc.oneof(fc.integer({ min: 1 }).map(String), hostileText(400)),
  name: hostileText(400),
  details: fc.array(hostileText(200), { maxLength: 6 }),
});

describe('the window of a list', () => {
  wideIt('a list’s window fits Slack’s limits, whatever the account sends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...listKinds),
        fc.array(thing, { maxLength: 10 }),
        hostileText(200),
        anyLookup,
        (kind, things, query, { history }) => {
          const of = { kind: 'services' as const, id: '1', name: 'x'.repeat(200) };
          const end = { position: 10, last: ['1', '2', '3', '4', '5'] };
          const notes = { channel: 'C0GENERAL', list: kind, query: query.slice(0, 200), of, end };
          const rows = kind === 'scans' ? history.scans.slice(0, 10).map((one) => ({ id: one.id, scan: one })) : things;
          const turn = { label: 'Next →', to: { end } };
          const view = listView(
            list(kind, rows, {
              metadata: notes,
              summary: `With ${query}`,
              extraLines: ['Something else.'],
              unnamed: true,
              before: turn,
              after: turn,
            }),
          );
          expect(checkView(view, systemRandom)).toMatchObject({ ok: true });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a list’s window shows names letter by letter, with no formatting other than bold', () => {
    fc.assert(
      fc.property(hostileText(20), hostileText(20), (name, detail) => {
        const view = listView(list('services', [{ id: '7', name, details: [detail] }], { listActions: [] }));
        const row = shownTexts(view.blocks.find((block) => block.type === 'section')).at(0)!;
        const text = row.how === 'mrkdwn' ? drawMrkdwn(row.text) : { text: row.text, more: [] };
        expect(text.more).toEqual(row.how === 'mrkdwn' ? ['bold'] : []);
        if (name.trim() !== '') {
          expect(text.text.startsWith(visible(name))).toBe(true);
        }
      }),
    );
  });

  it('a list’s window shows barcodes letter by letter, and times in the reader’s zone', () => {
    const value = ' *00*1\u001d<!here>';
    const view = listView(list('scans', [{ id: '1', scan: scan({ value }) }]));
    expect(shownTexts(view.blocks)).toContainEqual({ how: 'exact', code: true, text: visible(value) });
    expect(JSON.stringify(view)).toContain('"type":"date"');
  });

  it('a list’s window shows its search in the input as a person would type it', () => {
    const search = (query: string) =>
      JSON.stringify(listView(list('scans', [], { metadata: { list: 'scans', query } })));
    expect(search('a\u001db')).toContain(JSON.stringify('a\\x1db'));
    expect(search(' a ')).toContain(JSON.stringify('" a "'));
    expect(JSON.stringify(listView(list('uploads', [])))).not.toContain('list.query');
  });
});

describe('menus', () => {
  it.each(listKinds)('a menu of %s has five options at most, and no action is lost', (kind) => {
    for (const mayChange of [true, false]) {
      const all = allowedActions(itemActions[kind], mayChange);
      const { shown, more } = splitMenu(all);
      expect(shown.length + (more.length > 0 ? 1 : 0)).toBeLessThanOrEqual(5);
      expect([...shown, ...more]).toEqual(all);
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    }
  });

  it('the menus of a person without access have no action that changes anything', () => {
    for (const kind of listKinds) {
      for (const { does } of [
        ...allowedActions(itemActions[kind], false),
        ...allowedActions(listActions[kind], false),
      ]) {
        expect('opens' in does ? does.opens.effect : 'read').toBe('read');
      }
    }
  });

  it('a menu’s action fills in the chosen item as a parameter that the action’s operation has', () => {
    for (const { does } of Object.values(itemActions).flat()) {
      if ('opens' in does && does.item !== undefined) {
        expect(Object.keys(does.opens.input)).toContain(does.item);
      }
    }
  });

  it('Slack accepts the window with the remaining actions of a database’s menu, which names the database', () => {
    const view = moreView('*x*', splitMenu(itemActions.databases).more, ({ key }) => key, '{}');
    expect(checkView(view, systemRandom)).toMatchObject({ ok: true });
    expect(read(view.blocks)).toContain('*x*');
  });
});
