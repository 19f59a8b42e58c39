import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceivedScan } from '../../../src/relay/index.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { type ScanPostInput, scanPost } from '../../../src/slack/channel-posts/blocks/scan-post.js';
import { anyText } from '../../helpers/any-text.js';

const at = Date.UTC(2026, 4, 1, 10, 0, 5);

function of(fields: Partial<ReceivedScan> = {}, more: Partial<ScanPostInput> = {}) {
  const scan: ReceivedScan = {
    id: 's1',
    relayId: 'r1',
    owner: { installation: 'T1', team: 'T1' },
    receivedAt: at,
    tid: '00123',
    valid: true,
    text: '',
    answers: [],
    properties: [],
    ...fields,
  };
  return scanPost({ scan, relay: { serviceIds: [], serviceName: 'Main gate' }, ...more });
}

type Element = {
  type: string;
  text?: string;
  timestamp?: number;
  format?: string;
  url?: string;
  style?: { code?: boolean };
};

const elementsOf = (post: ReturnType<typeof of>): Element[] => {
  expect(post.blocks.map(({ type }) => type)).toEqual(['rich_text']);
  const [block] = post.blocks as unknown as { elements: { type: string; elements: Element[] }[] }[];
  expect(block!.elements.map(({ type }) => type)).toEqual(['rich_text_section']);
  return block!.elements[0]!.elements;
};

/** The post's text, with each date as its timestamp in seconds. */
const read = (post: ReturnType<typeof of>): string =>
  elementsOf(post)
    .map(({ type, timestamp, format = '', text = '' }) =>
      type === 'date' ? `${format.replace(/\{.*$/, '')}[${timestamp}]` : text,
    )
    .join('');

describe('the post of a scan', () => {
  it('a scan’s post shows the result in words and by an icon', () => {
    expect(read(of({ text: 'Row 5' }))).toMatch(/^✅ Valid · Row 5\n00123\n/);
    expect(read(of({ valid: false, text: 'Used' }))).toMatch(/^❌ Not valid · Used\n/);
    expect(read(of({ givenStatus: '-1' }))).toMatch(/Not checked/);
    const tooLate = { valid: false, late: true, finding: 'too_late', text: 'Late, can’t be counted' } as const;
    expect(read(of(tooLate))).toMatch(/^❌ Late, can’t be counted\n00123\n/);
    expect(of({ valid: false }).text).toBe('❌ Not valid: `00123`');
  });

  it('a scan’s post shows any barcode letter by letter as one piece of code', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 300 }), (tid) => {
        const codes = elementsOf(of({ tid })).filter(({ style }) => style?.code);
        expect(codes.map(({ text }) => text)).toEqual([visible(tid)]);
      }),
    );
  });

  it('a scan’s post never turns outside text into a mention, a link, an emoji or formatting', () => {
    const nasty = '<!channel> <@U1> *b* :tada: `c` https://x.example &lt;';
    const post = of(
      {
        tid: nasty,
        text: nasty,
        sid: nasty,
        answers: [{ questionId: nasty, question: nasty, answer: nasty }],
        properties: [{ name: nasty, value: nasty }],
      },
      { names: { user: nasty, device: nasty } },
    );
    expect(new Set(elementsOf(post).map(({ type }) => type))).toEqual(new Set(['text', 'date']));
    expect(post.text).not.toMatch(/<[!@#]/);
    expect([post.unfurl_links, post.unfurl_media]).toEqual([false, false]);
  });

  it('a scan’s post names service, user and device by the account’s names, else by the relay’s name or by ID', () => {
    const scan = { sid: '101', userid: '7', udid: 'ABC' };
    const names = { service: 'Gate 1', user: 'mia', device: 'Phone 4' };
    expect(read(of(scan, { names }))).toContain('Gate 1 · mia · Phone 4 · [');
    expect(read(of(scan))).toContain('unnamed service 101 · unnamed user 7 · unnamed device ABC · [');
    const only = { serviceIds: ['101'], serviceName: 'Main gate' };
    expect(read(of(scan, { relay: only }))).toContain('Main gate · unnamed user 7');
    expect(read(of({ sid: '102' }, { relay: only }))).toContain('service 102 · ');
    expect(read(of())).toMatch(/00123\n\[/);
  });

  it('a scan’s post shows the time of the scan, and also the arrival of a scan that came late', () => {
    const scannedAtUtc = '2026-05-01 10:00:00';
    const seconds = at / 1_000;
    expect(read(of({ scannedAtUtc }))).toContain(`[${seconds - 5}]`);
    expect(read(of({ scannedAtUtc }))).not.toContain('received');
    expect(read(of({ scannedAtUtc, receivedAt: at + 3_600_000 }))).toContain(
      `[${seconds - 5}], received [${seconds + 3_600}]`,
    );
    expect(read(of({ scannedAtUtc: 'soon' }))).toContain(`[${seconds}]`);
  });

  it('a scan’s post lists answers with their questions, and the parts of a multiple answer separately', () => {
    const post = of({
      answers: [
        { questionId: '12', question: 'Colours?', answer: 'red|^|blue' },
        { questionId: '13', answer: '42' },
      ],
    });
    expect(read(post)).toContain('\nColours? red, blue\nQuestion 13: 42');
  });

  it('a scan’s post links a GPS location to a map, and shows an invalid location as text', () => {
    const place = of({ properties: [{ name: 'gps_location', value: '48.1,11.5' }] });
    expect(elementsOf(place).find(({ type }) => type === 'link')?.url).toContain('48.1');
    expect(read(place)).not.toContain('gps_location');
    const none = of({ properties: [{ name: 'gps_location', value: 'here' }] });
    expect(read(none)).toContain('gps_location: here');
  });

  it('a scan’s post states how many answers and properties it leaves out', () => {
    const answers = Array.from({ length: 20 }, (_, n) => ({ questionId: String(n), answer: 'a' }));
    const properties = Array.from({ length: 20 }, (_, n) => ({ name: `p${n}`, value: 'v' }));
    const text = read(of({ answers, properties }));
    expect(text).toContain('and 8 more answers');
    expect(text).toContain('and 8 more properties');
  });

  it('a scan’s post leaves out a response that only repeats the result’s word', () => {
    expect(read(of({ valid: false, text: 'Not valid' }))).toMatch(/^❌ Not valid\n/);
    expect(read(of({ valid: false, text: 'INVALID' }))).toMatch(/^❌ Not valid\n/);
    expect(read(of({ text: 'Valid.' }))).toMatch(/^✅ Valid\n/);
    expect(read(of({ text: 'Received' }))).toMatch(/^✅ Valid\n/);
    expect(read(of({ valid: false, text: 'Valid' }))).toMatch(/^❌ Not valid · Valid\n/);
    expect(read(of({ text: '✅✅' }))).toMatch(/^✅ Valid · ✅✅\n/);
  });

  it('a scan’s post names a capture method other than the camera, and leaves out the property time_zone', () => {
    const captured = (value: string) =>
      read(
        of({
          properties: [
            { name: 'capture_type', value },
            { name: 'time_zone', value: 'America/New_York' },
          ],
        }),
      );
    expect(captured('manual entry')).toMatch(/\]\ntyped by hand$/);
    expect(captured('camera scan')).toMatch(/\]$/);
    expect(captured('NFC')).toMatch(/\]\ncapture_type: NFC$/);
  });

  it('a scan’s post sets the labels of answers and properties in italics', () => {
    const post = of({
      answers: [{ questionId: '12', question: 'Notes', answer: 'wet' }],
      properties: [{ name: 'gate', value: '4' }],
    });
    const italic = elementsOf(post).filter((element) => (element.style as { italic?: boolean } | undefined)?.italic);
    expect(italic.map(({ text }) => text)).toEqual(['Notes', 'gate']);
  });
});
