import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Variables } from '../../../src/relay/postback/form.js';
import { readScan } from '../../../src/relay/postback/parse.js';
import { repeatKey } from '../../../src/scans/received/repeat-keys.js';
import { anyText } from '../../helpers/any-text.js';
import { codeThrown } from '../../helpers/thrown.js';

const text = anyText({ minLength: 1, maxLength: 40 }).filter((value) => !value.includes('\0'));

describe('a posted scan', () => {
  it('a posted scan has the contract’s fields, and its other variables except redundant times as properties', () => {
    expect(
      readScan([
        ['tid', ' 00123 '],
        ['sid', '101'],
        ['userid', '7'],
        ['udid', 'ABC'],
        ['scanid', '9001'],
        ['status', '-1'],
        ['text', ''],
        ['scanned_at_utc', '2026-05-01 10:00:00'],
        ['received_at_utc', '2026-05-01 10:00:01'],
        ['timestamp', '2026-05-01 06:00:00'],
        ['capture_type', 'camera'],
        ['gps_location', '48.1,11.5'],
      ]),
    ).toEqual({
      tid: ' 00123 ',
      sid: '101',
      userid: '7',
      udid: 'ABC',
      scanid: '9001',
      givenStatus: '-1',
      givenText: '',
      scannedAtUtc: '2026-05-01 10:00:00',
      answers: [],
      properties: [
        { name: 'capture_type', value: 'camera' },
        { name: 'gps_location', value: '48.1,11.5' },
      ],
    });
  });

  it('a posted scan keeps any barcode, property and answer unchanged', () => {
    fc.assert(
      fc.property(text, text, text, (tid, value, answer) => {
        const scan = readScan([
          ['tid', tid],
          ['note', value],
          ['answers[12]', answer],
        ]);
        expect(scan.tid).toBe(tid);
        expect(scan.properties).toEqual([{ name: 'note', value }]);
        expect(scan.answers).toEqual([{ questionId: '12', answer }]);
      }),
    );
  });

  it('a posted scan’s questions and answers are joined by ID in any order, and a multiple answer stays as sent', () => {
    const { answers } = readScan([
      ['answers[31]', 'red|^|blue'],
      ['questions[12]', 'Age?'],
      ['tid', 'x'],
      ['answers[12]', '42'],
      ['questions[31]', 'Colours?'],
      ['questions[99]', 'Nobody answered'],
    ]);
    expect(answers).toEqual([
      { questionId: '31', question: 'Colours?', answer: 'red|^|blue' },
      { questionId: '12', question: 'Age?', answer: '42' },
    ]);
  });

  it('a posted scan’s answer without a question text gets the text of the relay’s question', () => {
    const known = [
      { id: '900000001', text: 'How many bags?' },
      { id: '31', text: 'Ours?' },
    ];
    const { answers } = readScan(
      [
        ['tid', 'x'],
        ['answers[900000001]', '3'],
        ['answers[31]', 'red'],
        ['questions[31]', 'Theirs?'],
        ['answers[12]', '42'],
      ],
      {},
      known,
    );
    expect(answers).toEqual([
      { questionId: '900000001', question: 'How many bags?', answer: '3' },
      { questionId: '31', question: 'Theirs?', answer: 'red' },
      { questionId: '12', answer: '42' },
    ]);
  });

  it('a list of answers in a posted scan is read as one answer with several parts', () => {
    const { answers } = readScan([
      ['tid', 'x'],
      ['answers[31][]', 'red'],
      ['answers[31][]', 'blue'],
    ]);
    expect(answers).toEqual([{ questionId: '31', answer: 'red|^|blue' }]);
  });

  it('a posted list’s items are numbered, and the last of two variables with one name is kept, as PHP does', () => {
    const { properties, tid } = readScan([
      ['tid', 'first'],
      ['tid', 'last'],
      ['photo[]', 'a'],
      ['photo[]', 'b'],
      ['note', 'a'],
      ['note', 'b'],
    ]);
    expect(tid).toBe('last');
    expect(properties).toEqual([
      { name: 'photo[0]', value: 'a' },
      { name: 'photo[1]', value: 'b' },
      { name: 'note', value: 'b' },
    ]);
  });

  it('variables named like properties of JavaScript objects become properties of a posted scan', () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
    const { properties } = readScan([['tid', 'x'], ...names.map((name): [string, string] => [name, 'v'])]);
    expect(properties.map(({ name }) => name)).toEqual(names);
  });

  it('an empty ID or time in a posted scan counts as missing', () => {
    const scan = readScan([
      ['tid', 'x'],
      ['sid', ''],
      ['udid', ''],
      ['scanned_at_utc', ''],
    ]);
    expect(scan).toEqual({ tid: 'x', answers: [], properties: [] });
  });

  it.each([
    ['without tid', []],
    ['with an empty tid', [['tid', '']]],
    ['with a list as tid', [['tid[]', 'x']]],
  ] as [string, Variables][])('a posted scan %s is refused because it has no barcode', (_, variables) => {
    expect(codeThrown(() => readScan(variables))).toBe('relay.no_barcode');
  });

  it('a posted scan may have a barcode that consists of spaces alone', () => {
    expect(readScan([['tid', '  ']]).tid).toBe('  ');
  });
});

describe('the same scan again', () => {
  const told = { sid: '1', udid: 'd', userid: '2', tid: 't', scannedAtUtc: '2026-05-01 10:00:00' };
  const scan = (fields: Partial<typeof told>) => ({ ...told, ...fields, answers: [], properties: [] });

  it('two requests with the same scan have the same repeat key, whatever their other variables', () => {
    const again = { ...scan({}), scanid: '5', givenStatus: '1', properties: [{ name: 'a', value: 'b' }] };
    expect(repeatKey(again)).toBe(repeatKey(scan({})));
  });

  it.each(Object.keys(told))('a scan with another %s has another repeat key', (field) => {
    expect(repeatKey(scan({ [field]: 'other' }))).not.toBe(repeatKey(scan({})));
  });

  it.each(['sid', 'udid', 'userid', 'scannedAtUtc'] as const)('a scan without %s has no repeat key', (field) => {
    const { [field]: _, ...rest } = scan({});
    expect(repeatKey(rest)).toBeUndefined();
  });

  it('repeat keys of two scans differ even if a value contains the separator between values', () => {
    expect(repeatKey(scan({ sid: '1","2', udid: 'd' }))).not.toBe(repeatKey(scan({ sid: '1', udid: '2","d' })));
  });
});
