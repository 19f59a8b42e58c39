import { describe, expect, it } from 'vitest';
import type { Count, Counts, Subject } from '../../../src/counters/counters.js';
import type { IncomingScan } from '../../../src/relay/commit/index.js';
import { type RelaySettings, relaySettingsSchema } from '../../../src/relay/record/settings.js';
import { countingForValidation, createValidate, type Prefetched } from '../../../src/relay/validation/index.js';

/** A Monday, 12:00 UTC. */
const noon = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;

type Given = Partial<IncomingScan<Prefetched>>;

function scan(fields: Given = {}): IncomingScan<Prefetched> {
  return {
    ...{ id: 's1', relayId: 'r1', secretId: 'x', receivedAt: noon, tid: '00123' },
    ...{ answers: [], properties: [], submit: [] },
    ...fields,
  };
}

interface Known extends Partial<Count> {
  /** Moments of admissions. */
  readonly admitted?: readonly number[];
}

function counts(known: Partial<Record<Subject, Known>> = {}): Counts {
  const near = (subject: Subject, at: number, minutes: number) =>
    (known[subject]?.admitted ?? []).filter((moment) => Math.abs(moment - at) < minutes * minute);
  return {
    ofSubject: (subject) => ({ seen: 0, accepted: 0, ...known[subject] }),
    admitted: (subject, at, minutes) => near(subject, at, minutes).length,
    ofRule: () => 0,
  };
}

type Input = Parameters<typeof relaySettingsSchema.parse>[0];

function judge(settings: Input, fields: Given = {}, known: Parameters<typeof counts>[0] = {}) {
  return createValidate(relaySettingsSchema.parse(settings), { lateHours: 24 })({
    scan: scan(fields),
    counts: counts(known),
  });
}

const database = { judging: { kind: 'database', databaseIds: ['7'] } };
const rejecting = { judging: { ...database.judging, unknown: 'reject' } };
const list = (more: object = {}) => ({ judging: { kind: 'list', values: ['00123', 'Abc '], ...more } });
const pattern = (more: object = {}) => ({ judging: { kind: 'pattern', pattern: '^A-\\d+$', ...more } });
const office = { hours: { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '08:00', to: '13:30' } };
const known = (valid: boolean, response = '') => ({
  prefetched: { known: { kind: 'known' as const, valid, response, database: 'Tickets' } },
});
const accepted = (ago: number, more: Partial<Count> = {}) => ({
  value: { seen: 1, accepted: 1, lastAcceptedAt: noon - ago, admitted: [noon - ago], ...more },
});

describe('validation', () => {
  it.each<[string, Input, Given, Parameters<typeof counts>[0], string, string]>([
    ['every scan is valid by default', {}, {}, {}, 'valid', 'Received'],
    [
      'a scan that the account could not validate is valid, with the account’s text',
      {},
      { givenStatus: '-1', givenText: 'No connection' },
      {},
      'valid',
      'No connection',
    ],

    ['a ticket in the database is valid, with its response', database, known(true, 'Welcome'), {}, 'valid', 'Welcome'],
    ['a ticket without a response gets the default text', database, known(true), {}, 'valid', 'Received'],
    [
      'a ticket that the database marks as not valid is not valid',
      database,
      known(false, 'Refunded'),
      {},
      'invalid',
      'Refunded',
    ],
    [
      'a barcode that no database has is not valid',
      database,
      { prefetched: { known: { kind: 'absent' } } },
      {},
      'invalid',
      'Not valid',
    ],
    [
      'a barcode that cannot be checked is admitted as not checked',
      database,
      { prefetched: { known: { kind: 'unknown', why: 'slow' } } },
      {},
      'unknown_accepted',
      'Admitted, not checked',
    ],
    [
      'a barcode that cannot be checked is rejected, with the reason',
      rejecting,
      { prefetched: { known: { kind: 'unknown', why: 'slow' } } },
      {},
      'unknown_rejected',
      'Could not be checked: the account took too long to respond',
    ],
    [
      'a rejected barcode gets the reason that no calls are left',
      rejecting,
      { prefetched: { known: { kind: 'unknown', why: 'calls' } } },
      {},
      'unknown_rejected',
      'Could not be checked: no API calls left this minute',
    ],
    [
      'a rejected barcode gets the reason that only the copy may be asked',
      rejecting,
      { prefetched: { known: { kind: 'unknown', why: 'copy_only' } } },
      {},
      'unknown_rejected',
      'Could not be checked: not in the saved copy of the database',
    ],
    [
      'a rejected barcode gets the reason that no account is connected',
      rejecting,
      { prefetched: { known: { kind: 'unknown', why: 'no_account' } } },
      {},
      'unknown_rejected',
      'Could not be checked: no account is connected',
    ],
    [
      'a barcode for which nothing was looked up cannot be checked',
      rejecting,
      {},
      {},
      'unknown_rejected',
      'Could not be checked: the account could not be reached',
    ],

    ['a barcode on the list is valid', list(), {}, {}, 'valid', 'Received'],
    ['a barcode without its leading zeros is not on the list', list(), { tid: '123' }, {}, 'invalid', 'Not valid'],
    ['a barcode without its space at the end is not on the list', list(), { tid: 'Abc' }, {}, 'invalid', 'Not valid'],
    ['a barcode in another case is not on the list', list(), { tid: 'ABC ' }, {}, 'invalid', 'Not valid'],
    [
      'a barcode in another case is on a list that ignores case',
      list({ exact: false }),
      { tid: 'ABC ' },
      {},
      'valid',
      'Received',
    ],
    [
      'a barcode on a list of barcodes that are not valid is not valid',
      list({ listed: 'invalid' }),
      {},
      {},
      'invalid',
      'Not valid',
    ],
    [
      'a barcode missing on a list of barcodes that are not valid is valid',
      list({ listed: 'invalid' }),
      { tid: 'x' },
      {},
      'valid',
      'Received',
    ],

    ['a barcode that matches the pattern is valid', pattern(), { tid: 'A-0042' }, {}, 'valid', 'Received'],
    [
      'a barcode that does not match the pattern is not valid',
      pattern(),
      { tid: 'B-0042' },
      {},
      'invalid',
      'Not valid',
    ],
    [
      'a pattern without anchors matches anywhere in a barcode',
      pattern({ pattern: '\\d' }),
      { tid: 'B-0042' },
      {},
      'valid',
      'Received',
    ],
    [
      'a barcode that matches a pattern of barcodes that are not valid is not valid',
      pattern({ matching: 'invalid' }),
      { tid: 'A-1' },
      {},
      'invalid',
      'Not valid',
    ],
    [
      'a text longer than any barcode matches no pattern',
      pattern({ pattern: 'a' }),
      { tid: 'a'.repeat(7_090) },
      {},
      'invalid',
      'Not valid',
    ],

    [
      'a barcode that was admitted long ago is a duplicate',
      { duplicates: {} },
      {},
      accepted(400 * 24 * 60 * minute),
      'duplicate',
      'Already scanned',
    ],
    [
      'a barcode that was seen but never admitted is valid',
      { duplicates: {} },
      {},
      { value: { seen: 5 } },
      'valid',
      'Received',
    ],
    [
      'a barcode that was admitted within the window is a duplicate',
      { duplicates: { withinMinutes: 10 } },
      {},
      accepted(10 * minute - 1),
      'duplicate',
      'Already scanned',
    ],
    [
      'a barcode is valid again as the window ends',
      { duplicates: { withinMinutes: 10 } },
      {},
      accepted(10 * minute),
      'valid',
      'Received',
    ],
    [
      'a barcode that is not valid is not called a duplicate',
      { ...list({ values: [] }), duplicates: {} },
      {},
      accepted(1),
      'invalid',
      'Not valid',
    ],
    [
      'a barcode that cannot be checked is a duplicate if it was admitted before',
      { ...database, duplicates: {} },
      { prefetched: { known: { kind: 'unknown', why: 'slow' } } },
      accepted(1),
      'duplicate',
      'Already scanned',
    ],

    ['a scan within the hours is valid', office, {}, {}, 'valid', 'Received'],
    [
      'a scan outside the hours is not valid',
      office,
      { receivedAt: noon + 31 * minute },
      {},
      'outside_hours',
      'Not valid at this time',
    ],
    [
      'a scan outside the hours is not valid, whatever its barcode',
      { ...office, ...database },
      { ...known(true), receivedAt: noon - 6 * 60 * minute },
      {},
      'outside_hours',
      'Not valid at this time',
    ],
    [
      'a late scan is valid if it was made within the hours',
      office,
      { receivedAt: noon + 5 * 60 * minute, scannedAtUtc: '2026-03-02 12:00:00' },
      {},
      'valid',
      'Received',
    ],
    [
      'a scan that is not late counts at its arrival',
      office,
      { receivedAt: noon + 31 * minute, scannedAtUtc: '2026-03-02 12:25:00' },
      {},
      'outside_hours',
      'Not valid at this time',
    ],
    [
      'a scan of a device whose clock is ahead counts at its arrival',
      office,
      { scannedAtUtc: '2026-03-03 03:00:00' },
      {},
      'valid',
      'Received',
    ],

    ['a scan up to the limit is valid', { atMost: { n: 2, of: 'value' } }, {}, accepted(1), 'valid', 'Received'],
    [
      'a scan above the limit is not valid',
      { atMost: { n: 2, of: 'value' } },
      {},
      { value: { seen: 9, accepted: 2 } },
      'limit',
      'Limit reached',
    ],
    [
      'a scan above the limit of the whole relay is not valid',
      { atMost: { n: 500, of: 'relay' } },
      {},
      { relay: { seen: 700, accepted: 500 } },
      'limit',
      'Limit reached',
    ],
    [
      'a scan above the limit within the window is not valid',
      { atMost: { n: 3, of: 'relay', withinMinutes: 60 } },
      {},
      { relay: { accepted: 9, admitted: [noon, noon, noon - 59 * minute] } },
      'limit',
      'Limit reached',
    ],
    [
      'a scan is valid again once an earlier admission is out of the window',
      { atMost: { n: 3, of: 'relay', withinMinutes: 60 } },
      {},
      { relay: { accepted: 9, admitted: [noon, noon, noon - 60 * minute] } },
      'valid',
      'Received',
    ],
    [
      'a duplicate above the limit is called a duplicate',
      { duplicates: {}, atMost: { n: 1, of: 'value' } },
      {},
      accepted(1),
      'duplicate',
      'Already scanned',
    ],

    [
      'a scan that comes too late for a limit within a time is too late',
      { duplicates: { withinMinutes: 10 } },
      { scannedAtUtc: '2026-03-01 11:59:59' },
      {},
      'too_late',
      'Late, can’t be counted',
    ],
    [
      'a barcode that is not valid is not called too late',
      { ...list({ values: [] }), duplicates: { withinMinutes: 10 } },
      { scannedAtUtc: '2026-03-01 11:59:59' },
      {},
      'invalid',
      'Not valid',
    ],
    [
      'a scan that the account found valid is valid even out of hours, as a duplicate and off the list',
      { ...office, ...list(), duplicates: {} },
      { tid: 'x', receivedAt: noon + 600 * minute, givenStatus: '1', givenText: 'Bienvenue' },
      accepted(1),
      'valid',
      'Bienvenue',
    ],
    [
      'a scan that the account found not valid is not valid even if it is on the list',
      list(),
      { givenStatus: '0', givenText: 'Gone' },
      {},
      'invalid',
      'Gone',
    ],
    [
      'a scan that the account could not validate is validated by the list',
      list(),
      { tid: 'x', givenStatus: '-1', givenText: 'No connection' },
      {},
      'invalid',
      'Not valid',
    ],
    [
      'a scan with an unknown status is validated by the list',
      list(),
      { tid: 'x', givenStatus: '7' },
      {},
      'invalid',
      'Not valid',
    ],
  ])('a scan gets its result from the relay’s settings: %s', (_, settings, fields, before, finding, text) => {
    const verdict = judge(settings, fields, before);
    expect([verdict.finding, verdict.text]).toEqual([finding, text]);
    expect(verdict.valid).toBe(finding === 'valid' || finding === 'unknown_accepted');
  });

  it('a scan that arrived much later than it was made is marked late, and counts at the time it was made', () => {
    const made = { scannedAtUtc: '2026-03-02 11:49:59' };
    expect(judge({}, made)).toMatchObject({ late: true, at: noon - 10 * minute - 1_000 });
    expect(judge({}, { scannedAtUtc: '2026-03-02 11:50:00' })).toMatchObject({ late: false, at: noon });
    expect(judge({ lateMinutes: 60 }, made)).toMatchObject({ late: false, at: noon });
    expect(judge({}, { scannedAtUtc: 'yesterday' })).toMatchObject({ late: false, at: noon });
  });

  it('a late scan is a duplicate only of an admission near the time at which it was made', () => {
    const late = { receivedAt: noon + 8 * 60 * minute, scannedAtUtc: '2026-03-02 12:00:00' };
    const settings = { duplicates: { withinMinutes: 60 } };
    expect(judge(settings, late, accepted(-6 * 60 * minute)).finding).toBe('valid');
    expect(judge(settings, late, accepted(-30 * minute)).finding).toBe('duplicate');
  });

  it('a validated scan states a reason only where its result could not be determined', () => {
    const unknown = { prefetched: { known: { kind: 'unknown' as const, why: 'failed' as const } } };
    expect(judge(database, unknown).why).toBe('failed');
    expect(judge({ ...database, duplicates: {} }, unknown, accepted(1)).why).toBeUndefined();
    expect(judge(database, known(true)).why).toBeUndefined();
  });
});

describe('the response to a scan', () => {
  const answering = (text: string, more: object = {}): Input => ({
    ...database,
    duplicates: {},
    answers: { valid: { text, ...more }, duplicate: { text, ...more } },
  });
  const all = '{value}|{response}|{user}|{device}|{service}|{count}|{time}|{database}|{else}';
  const told: Given = {
    ...{ sid: '101', userid: '7', udid: 'ab-1' },
    prefetched: {
      known: { kind: 'known', valid: true, response: 'Row 3', database: 'Tickets' },
    },
    names: { user: 'ada', device: 'Phone 3' },
  };

  it('a relay’s own response fills its placeholders, with names instead of IDs where they are known', () => {
    expect(judge(answering(all), told).text).toBe('00123|Row 3|ada|Phone 3|101|1|12:00 UTC|Tickets|{else}');
  });

  it('a response to a duplicate says when the value was admitted before', () => {
    expect(judge(answering('{count}. {time}'), told, accepted(90 * minute)).text).toBe('2. 10:30 UTC');
    expect(judge(answering('{time}'), told, accepted(24 * 60 * minute)).text).toBe('2026-03-01 12:00 UTC');
  });

  it('a response states times in the relay’s time zone, else in the device’s time zone, else in UTC', () => {
    expect(judge({ ...(answering('{time}') as object), ...office }, told).text).toBe('13:00');
    const properties = [{ name: 'time_zone', value: 'America/New_York' }];
    expect(judge(answering('{time}'), { ...told, properties }).text).toBe('07:00');
    expect(judge(answering('{time}'), { ...told, properties: [{ name: 'time_zone', value: '../x' }] }).text).toBe(
      '12:00 UTC',
    );
  });

  it('a response does not fill placeholders that stand within a barcode', () => {
    expect(judge(answering('{value}'), { ...told, tid: '{response}$&$1' }).text).toBe('{response}$&$1');
  });

  it('a stored response has its text apart from its title and color', () => {
    const verdict = judge(answering('Hi', { title: 'Come in', color: '#00ff00' }), told);
    expect([verdict.text, verdict.reply]).toEqual(['Hi', '{"title":"Come in","color":"#00ff00"}']);
    expect(judge(answering('Hi'), told).reply).toBeUndefined();
  });

  it('a page response escapes every value, and also exists as text for people', () => {
    const page = judge(answering('<h1>{value}</h1>{response}', { kind: 'page' }), { ...told, tid: '<b>&"\'`' });
    expect(JSON.parse(page.reply ?? '')).toEqual({
      page: '<html><body><h1>&lt;b&gt;&amp;&quot;&#39;&#96;</h1>Row 3</body></html>',
    });
    expect(page.text).toBe('<b>&"\'` Row 3');
  });

  it('a URL response keeps its host and path, whatever values fill it', () => {
    const url = 'https://example.com/{value}?r={response}';
    const opened = judge(answering(url, { kind: 'url' }), { ...told, tid: 'a/../b?c#d&<é>\ud800' });
    expect(JSON.parse(opened.reply ?? '')).toEqual({
      url: 'https://example.com/a%2F..%2Fb%3Fc%23d%26%3C%C3%A9%3E%EF%BF%BD?r=Row%203',
    });
    expect(opened.text).toBe('Row 3');
    for (const text of ['https://{value}/x', 'javascript:alert(1)', 'example.com', 'https://a b/']) {
      expect(judge(answering(text, { kind: 'url' }), told).reply).toBeUndefined();
    }
  });

  it('a response asks the questions that match the result, but no question that is already answered', () => {
    const question = (id: string, when: string[] = []) => ({ id, text: 'How many?', type: 'manual', when });
    const settings: Input = {
      ...database,
      questions: [question('1'), question('2', ['invalid']), question('3', ['valid', 'duplicate'])],
    };
    const asked = (fields: Given) => JSON.parse(judge(settings, fields).reply ?? '{}').ask;
    expect(asked(known(true))).toEqual(['1', '3']);
    expect(asked(known(false))).toEqual(['1', '2']);
    expect(asked({ ...known(true), answers: [{ questionId: '1', answer: '4' }] })).toEqual(['3']);
    expect(asked({ ...known(true), givenStatus: '1' })).toBeUndefined();
  });
});

describe('what is counted for validation', () => {
  const counting = (settings: Input) => countingForValidation(relaySettingsSchema.parse(settings) as RelaySettings);

  it.each<[string, Input, object]>([
    ['nothing by default', {}, {}],
    ['values, for duplicates', { duplicates: {} }, { value: {} }],
    ['admission times, for duplicates within a time', { duplicates: { withinMinutes: 5 } }, { value: { within: [5] } }],
    ['the relay, for a limit of the relay', { atMost: { n: 9, of: 'relay' } }, { relay: {} }],
    [
      'admission times, for duplicates and a limit within a time',
      { duplicates: { withinMinutes: 7 }, atMost: { n: 9, of: 'value', withinMinutes: 5 } },
      { value: { within: [7, 5] } },
    ],
    ['values, where a text tells their number', { answers: { valid: { text: 'No. {count}' } } }, { value: {} }],
    ['nothing, where a text only tells the value', { answers: { valid: { text: '{value}' } } }, {}],
  ])('a relay counts what its validation settings need: %s', (_, settings, expected) => {
    expect(counting(settings)).toEqual(expected);
  });
});
