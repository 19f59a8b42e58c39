/** `/scans`: the form, the results, their buttons, and what is said where nothing can be found. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import type { SeenScan } from '../../../src/lookup/index.js';
import { checkMessageBlocks } from '../../../src/sandbox/slack/blocks/check.js';
import { parseQuery, type ScanQuery, type ScanSearchAnswer } from '../../../src/search/index.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { problemMessage } from '../../../src/slack/scans/problem-message.js';
import { pageSize, resultsMessage } from '../../../src/slack/scans/results-message.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { connect, untilCopied } from '../connected.js';
import { anyScans, hostileText, noon, scan } from '../lookup/lookup-samples.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const answerOf = (scans: readonly SeenScan[], more: Partial<ScanSearchAnswer> = {}): ScanSearchAnswer => ({
  scans,
  unit: 'hour',
  span: {},
  askedAt: 9_000,
  totals: { valid: 2, invalid: 1, other: 0, buckets: [] },
  ...more,
});

describe('the results of a search', () => {
  it('search results are a message that Slack accepts, whatever they hold, with barcodes letter by letter', () => {
    const texts = hostileText(80).filter((text) => text !== '');
    fc.assert(
      fc.property(texts, texts, anyScans(pageSize), fc.boolean(), (value, name, scans, isFirst) => {
        const query: ScanQuery = {
          barcode: { match: 'contains', text: value },
          services: [{ part: name }],
          response: name,
          property: { name, value: name },
        };
        const hours = Array.from({ length: 40 }, (_, n) => ({ start: n * 3_600_000, valid: n, invalid: 1, other: 0 }));
        const totals = { valid: 700, invalid: 40, other: 0, buckets: hours };
        const answer = answerOf(scans, { next: { at: 1_000, skip: 3 }, totals, searchedTo: { at: 5_000, skip: 0 } });
        const record = { query, zone: 'Europe/Berlin', answer };
        const { blocks } = resultsMessage({ record, answer, isFirst, chart: true, search: 'x'.repeat(16) });
        expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
        const codes = shownTexts(blocks).filter(({ code }) => code);
        expect(codes[0]).toMatchObject({ how: 'exact', text: visible(value) });
      }),
      { numRuns: 60 },
    );
  });

  it('a search says a result once where all scans have the same one, and with each scan where they differ', () => {
    const one = (status: SeenScan['status'], result: string) => scan({ status, result, at: 1_000 });
    const shown = (scans: readonly SeenScan[], totals: object, query: ScanQuery = {}, isFirst = true) => {
      const answer = answerOf(scans, { totals: { valid: 0, invalid: 0, other: 0, buckets: [], ...totals } });
      return read(resultsMessage({ record: { query, zone: 'UTC', answer }, answer, isFirst, chart: true }).blocks);
    };
    const refused = [one('invalid', 'Already scanned'), one('invalid', '')];
    const lines =
      /00123 {2} · Main gate · anna · Scanner 3 · Already scanned\n❌ 00123 {2} · Main gate · anna · Scanner 3\S/;
    expect(shown(refused, { invalid: 2 })).toMatch(/^All scans\n2 scans, all not valid/);
    expect(shown(refused, { invalid: 2 })).toMatch(lines);
    const filtered = shown(refused, { invalid: 2 }, { results: ['invalid'] });
    expect(filtered.match(/not valid/gi)).toHaveLength(1);
    expect(shown(refused, { invalid: 2 }, { results: ['invalid'] }, false)).toMatch(lines);
    // Another page than the first has no totals.
    expect(shown(refused, { invalid: 2 }, {}, false)).toContain('Scanner 3 · Not valid: Already scanned');
    const mixed = shown([...refused, one('valid', 'Welcome')], { invalid: 2, valid: 1 });
    expect(mixed).toMatch(/Not valid: Already scanned\n.*Not valid\n.*Valid: Welcome/);
  });

  it('search results say that deleted scans may be among them only where a scan of the account may be', () => {
    const at = Date.UTC(2026, 2, 1);
    const copy = { at, fullAt: at - 3_600_000, since: 0 };
    const shown = (scans: readonly SeenScan[], valid = scans.length) => {
      const answer = answerOf(scans, { askedAt: at, copy, totals: { valid, invalid: 0, other: 0, buckets: [] } });
      return read(
        resultsMessage({ record: { query: {}, zone: 'UTC', answer }, answer, isFirst: true, chart: true }).blocks,
      );
    };
    expect(shown([scan()])).toContain('may still be included');
    expect(shown([])).not.toContain('may still be included');
    expect(shown([scan({ source: 'relay' })])).not.toContain('may still be included');
    // Nobody knows the scans of other pages.
    expect(shown([scan({ source: 'relay' })], 40)).toContain('may still be included');
  });

  it.each([
    ['today yesterday', 'yesterday'],
    ['Door Z', 'Door Z'],
    ['0123 today 0456', '0456'],
    ['today without', 'without'],
    ['unknown today', 'unknown'],
    ['today servce:x', 'servce:x'],
    ['user:', 'user:'],
    ['when:lately', 'when:lately'],
    ['tomorrow', 'tomorrow'],
    ['today "abc', 'abc'],
    ['property:color', 'property:color'],
  ])('a search that is not understood names the part in question, and its example is understood: %s', (typed, part) => {
    const { query, problem } = parseQuery(typed, noon, 'UTC');
    const text = read(problemMessage(typed, problem!, query, '1').blocks);
    expect(text).toContain(`“${part}”`);
    expect(text).not.toMatch(/\bThis\b|\bhere\b/);
    const [, example = ''] = /Example: \/scans (.+)Change search$/.exec(text) ?? [];
    expect(example).not.toBe('');
    expect(parseQuery(example, noon, 'UTC').problem).toBeUndefined();
  });

  it('a search that is not understood is quoted in the answer as it was typed', () => {
    const text = 'today *servce:<!here> & x';
    const { blocks } = problemMessage(text, { kind: 'unknown_key', typed: '*servce:<!here>', at: 6 }, {}, '1');
    expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
    expect(read(blocks)).toContain(text);
  });
});

describe('searching scans in Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  const text = (message: { readonly blocks?: unknown }) => read(message.blocks as never);

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { MIRROR_SHARE: '90', ACCOUNT_CALLS_PER_MINUTE: '6000' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    expect(text(await mia.command('/scans today'))).toContain('connect');
    await connect(ada);
    await untilCopied(mia);
  }, 90_000);
  afterAll(() => testApp?.stop());

  it('search results show the search, totals, a chart, and each scan with its barcode', async () => {
    const found = await mia.command('/scans since 2020-01-01 HLF-');
    expect(text(found)).toMatch(/Scans since 2020-01-01 · barcode contains HLF-/);
    expect(text(found)).toMatch(/[\d,]+ scans: [\d,]+ valid, [\d,]+ not valid/);
    expect(text(found)).toMatch(/❌ HLF-\d+ [\s\S]*? · Not valid: /);
    expect(JSON.stringify(found.blocks)).toContain('"data_visualization"');
    expect(shownTexts(found.blocks).filter(({ code }) => code).length).toBe(pageSize + 1);
  });

  it('search results are paged in place, and one page can be shared with the channel', async () => {
    const found = await mia.command('/scans since 2020-01-01');
    const codesOf = (message: { readonly blocks?: unknown }) =>
      shownTexts(message.blocks as never)
        .filter(({ code }) => code)
        .map((each) => each.text);
    const first = codesOf(found);
    await mia.clickMessage(found, 'scans.older');
    const older = await eventually(async () => {
      const now = (await mia.messages()).find(({ ts }) => ts === found.ts);
      return now && JSON.stringify(codesOf(now)) !== JSON.stringify(first) ? now : undefined;
    }, 'the older page');
    await mia.clickMessage(older, 'scans.share');
    const shared = await eventually(
      async () => (await ada.messages()).find((message) => text(message).includes('Shared by')),
      'the shared page',
    );
    expect(codesOf(shared)).toEqual(codesOf(older));
    expect(JSON.stringify(shared.blocks).includes('"actions"')).toBe(false);
  });

  it('a search with an unknown key shows the key, and suggests a similar key', async () => {
    const answer = await mia.command('/scans today servce:Gate 01');
    expect(text(answer)).toContain('servce:Gate');
    expect(text(answer)).toContain('Did you mean service:');
  });

  it('a search of a day to come says that it can have no scans, and suggests other times', async () => {
    for (const typed of ['tomorrow', 'not valid next week']) {
      const answer = text(await mia.command(`/scans ${typed}`));
      expect(answer).toMatch(/“(tomorrow|next)” is in the future, which has no scans yet\. Try “today”/);
      expect(answer).toContain('Example: /scans last 7 days not valid');
    }
  });

  it('a search finds a service by its name, typed without a key or quotes', async () => {
    expect(text(await mia.command('/scans invalid Gate A since 2020-01-01'))).toMatch(
      /Scans since 2020-01-01 · not valid · service “Gate A”\s*[\d,]+ scans(?!,)/,
    );
    const unknown = await mia.command('/scans invalid Door Z today');
    expect(text(unknown)).toContain('“Door Z” is neither a time nor the name of a service, user or device.');
    expect(text(unknown)).toContain('/scans "Door Z"');
    const mistyped = await mia.command('/scans tody Gate Z');
    expect(text(mistyped)).toContain('and the search already has a barcode. Did you mean today?');
    expect(JSON.stringify(mistyped.blocks)).toContain('"text":"Z","style":{"bold":true}');
    expect(text(await mia.command('/scans tody'))).toContain('Nothing found. Did you mean today?');
    expect(text(await mia.command('/scans nosuch'))).not.toContain('Did you mean');
    // “today” is known, and two letters from “monday”.
    expect(text(await mia.command('/scans unknown today'))).not.toContain('Did you mean');
  });

  it.each([
    ['today', 'Scans today'],
    ['yesterday', 'Scans yesterday'],
    ['this week', 'Scans this week'],
    ['last 3 days', 'Scans last 3 days'],
    ['yesterday evening', 'Scans yesterday evening'],
    ['before 9', 'Scans before 9'],
    ['since monday', 'Scans since monday'],
    ['22:00 to 06:00', 'Scans of 22:00 to 06:00'],
    ['latest', 'All scans'],
    ['not valid today', 'Scans today · not valid'],
    ['refused tickets this morning', 'Scans this morning · not valid'],
    ['already used', 'All scans · already used'],
    ['duplicates', 'All scans · already used'],
    ['valid at Gate A yesterday', 'Scans yesterday · valid · service “Gate A”'],
    ['scans by mara', 'All scans · user “mara”'],
    ['by mara yesterday', 'Scans yesterday · user “mara”'],
    ['who scanned HLF-000001', 'All scans · barcode contains HLF-000001'],
    ['everything from jonas on saturday', 'Scans on saturday · user “jonas”'],
    ['Gate A 0123*', 'All scans · service “Gate A” · barcode begins with 0123'],
    ['stock room today', 'Scans today · device “stock room”'],
    ['tickets refused at Gate B', 'All scans · not valid · service “Gate B”'],
    ['0012399 last month', 'Scans last month · barcode contains 0012399'],
    ['how many today', 'Scans today'],
  ])('the phrase “/scans %s” is answered with the results of “%s”', async (phrase, line) => {
    const answer = text(await mia.command(`/scans ${phrase}`));
    expect(answer.split('\n')[0]).toBe(line);
    expect(answer).toMatch(/[\d,]+ scans?\b|Nothing found/);
  });

  it('a phrase that is not wholly understood says what was, and its form is filled in with that', async () => {
    const answer = await mia.command('/scans unknown not valid since 2020-01-01 by mara');
    expect(text(answer)).toContain('“unknown” isn’t a result of a scan');
    expect(text(answer)).toContain('Understood: Scans since 2020-01-01 · not valid · user “mara”');
    await mia.clickMessage(answer, 'scans.form');
    const form = await mia.seesForm('scans.search');
    expect(JSON.stringify(form.view.blocks)).toContain('since 2020-01-01');
    expect(JSON.stringify(form.view.blocks)).toContain('Any with “mara”');
    await mia.submit(form);
    const found = await mia.seesForm('scans.results');
    expect(read(found.view.blocks as never)).toContain('Scans since 2020-01-01 · not valid · user “mara”');
    await mia.close(found);
  });

  it('scans that are already used are those that a response says so of', async () => {
    const used = text(await mia.command('/scans since 2020-01-01 already used'));
    expect(used).toMatch(/already used\s*[\d,]+ scans(?!,)/);
    expect(used.match(/ · Already scanned/g)?.length).toBe(pageSize);
  });

  it('a search without results in its time span offers to search all scans', async () => {
    const none = await mia.command('/scans 2 January 2021 HLF-');
    expect(text(none)).toContain('Nothing found.');
    await mia.clickMessage(none, 'scans.any_time');
    const all = await eventually(async () => {
      const now = (await mia.messages()).find(({ ts }) => ts === none.ts);
      return now && text(now).includes('All scans') ? now : undefined;
    }, 'scans of any time');
    expect(text(all)).toMatch(/barcode contains HLF-\s*[\d,]+ scans/);
    expect(JSON.stringify(all.blocks)).not.toContain('scans.any_time');
  });

  it('a search’s form offers services, devices and “Any with” the typed text, and keeps the choices', async () => {
    await mia.say('/scans since 2020-01-01 response:zzz');
    await mia.say('/scans');
    const form = await mia.seesForm('scans.search');
    expect(JSON.stringify(form.view.blocks)).not.toContain('scans.response');
    const { options: all } = await mia.options(form, 'scans.pick.service', '');
    expect(all.length).toBeGreaterThan(1);
    expect((await mia.options(form, 'scans.pick.device', '')).options.length).toBeGreaterThan(0);
    await mia.click(form, 'scans.more');
    const long = await eventually(async () => {
      const view = await mia.window();
      return JSON.stringify(view?.view.blocks).includes('scans.response') ? view : undefined;
    }, 'all fields');
    const picked = (kind: string, chosen: readonly unknown[]) => ({
      [`scans.pick.${kind}`]: { type: 'multi_external_select', selected_options: chosen },
    });
    const { options } = await mia.options(long, 'scans.pick.service', 'gate');
    const [first] = options as [(typeof options)[number]];
    expect(options.at(-1)?.text.text).toBe('Any with “gate”');
    expect(options.length).toBeLessThan(all.length + 1);
    await mia.submit(long, {
      'scans.when': { 'scans.field': { type: 'plain_text_input', value: 'since 2020-01-01' } },
      'scans.service': picked('service', [first, options.at(-1)]),
      'scans.response': { 'scans.field': { type: 'plain_text_input', value: 'e' } },
    });
    const found = await mia.seesForm('scans.results');
    expect(read(found.view.blocks as never)).toContain(`service “${first.text.text}” or “gate”`);
    await mia.click(found, 'scans.form');
    const again = await mia.seesForm('scans.search');
    expect(JSON.stringify(again.view.blocks)).toContain('Any with “gate”');
    expect(JSON.stringify(again.view.blocks)).toContain('scans.response');
    await mia.close(again);
  });

  it('a search’s form keeps its values when clocks skip the entered time', async () => {
    await mia.say('/scans');
    // In Chicago, that hour does not exist.
    await mia.submit(await mia.seesForm('scans.search'), {
      'scans.when': { 'scans.field': { type: 'plain_text_input', value: '2026-03-08 02:00-03:00' } },
      'scans.barcode': { 'scans.field': { type: 'plain_text_input', value: 'HLF-0000' } },
    });
    const again = await eventually(async () => {
      const view = await mia.window();
      return read(view?.view.blocks as never).includes('The clocks skip') ? view : undefined;
    }, 'the form with its problem');
    expect(read(again.view.blocks as never)).toContain(
      'The clocks skip 2026-03-08 02:00-03:00 in your time zone. Enter another time.',
    );
    expect(again.view.callback_id).toBe('scans.search');
    expect(JSON.stringify(again.view.blocks)).toContain('HLF-0000');
    await mia.close(again);
  });

  it('a search from the shortcut shows its results in a window without Share, and is refused to a guest', async () => {
    expect(await testApp.post('/sandbox/shortcut', { as: mia.id, callback_id: 'scans.search' })).toEqual({ ok: true });
    await mia.submit(await mia.seesForm('scans.search'), {
      'scans.when': { 'scans.field': { type: 'plain_text_input', value: 'since 2020-01-01' } },
    });
    const found = await mia.seesForm('scans.results');
    expect(JSON.stringify(found.view.blocks)).not.toContain('scans.share');
    await mia.click(found, 'scans.save');
    const saving = await mia.seesForm('scans.save');
    expect(read(saving.view.blocks as never)).not.toContain('channel');
    const name = { 'scans.field': { type: 'plain_text_input', value: 'Since 2020' } };
    await mia.submit(saving, { 'scans.save.name': name });
    await mia.close(await mia.seesForm('notice'));
    await eventually(
      async () =>
        read((await mia.seesForm('scans.results')).view.blocks as never).startsWith('Since 2020\nScans since'),
      'the name above the results',
    );
    const guest = testApp.person('U0GUS');
    await testApp.post('/sandbox/shortcut', { as: guest.id, callback_id: 'scans.search' });
    const refused = await eventually(async () => guest.window(), 'an answer to the guest');
    expect(refused.callback_id).not.toBe('scans.search');
  });

  it('a search’s form opens by /scans alone, and runs a search', async () => {
    await mia.say('/scans');
    const form = await mia.seesForm('scans.search');
    await mia.submit(form, {
      'scans.when': { 'scans.field': { type: 'plain_text_input', value: 'since 2020-01-01' } },
      'scans.barcode': { 'scans.field': { type: 'plain_text_input', value: 'HLF-000001' } },
    });
    const found = await mia.seesForm('scans.results');
    expect(read(found.view.blocks as never)).toContain('2 scans: 1 valid, 1 not valid');
    await mia.click(found, 'scans.form');
    const again = await mia.seesForm('scans.search');
    expect(JSON.stringify(again)).toContain('HLF-000001');
    const refused = await mia.submit(again, {
      'scans.when': { 'scans.field': { type: 'plain_text_input', value: 'whenever' } },
    });
    expect(JSON.stringify(refused)).toContain('last 7 days');
  });
});
