import { describe, expect, it } from 'vitest';
import { type Post, type ReceivedScan, relaySettingsSchema } from '../../../src/relay/index.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { earlierLine } from '../../../src/slack/channel-posts/blocks/earlier-line.js';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { read } from '../block-kit/reading.js';

const at = Date.UTC(2026, 4, 1, 9, 41);
const accepted = { at, first: true, sid: '101', userid: '7', udid: 'phone' };

describe('the line about earlier scans', () => {
  it.each([
    ['', undefined],
    ['', { scans: 0, never: true }],
    ['Admitted  · Gate A · mia', { scans: 0, accepted: { ...accepted, first: false } }],
    ['', { scans: 0, atLeast: true }],
    ['2nd scan · admitted  · Gate A · mia', { scans: 1, accepted }],
    ['3rd scan · admitted  · Gate A · mia', { scans: 2, accepted: { ...accepted, first: false } }],
    [
      'At least the 4th scan · admitted  · Gate A · mia',
      { scans: 3, atLeast: true, accepted: { ...accepted, first: false } },
    ],
    ['11th scan · never admitted here', { scans: 10, never: true }],
    ['22nd scan · last admitted  by a scan that is no longer stored', { scans: 21, lastAcceptedAt: at }],
    ['At least the 101st scan', { scans: 100, atLeast: true }],
  ])('a post’s line about earlier scans reads “%s” if the scan’s stored history is %j', (words, earlier) => {
    expect(read(richText(earlierLine(earlier ? { earlier } : {}, ['Gate A', 'mia'])))).toBe(words);
  });

  it('a post’s line about earlier scans states the time to the second, in the reader’s zone', () => {
    const [, , moment] = earlierLine({ earlier: { scans: 1, accepted } }, []);
    expect(moment).toMatchObject({
      type: 'date',
      timestamp: at / 1000,
      format: 'admitted {date_short_pretty} {time_secs}',
    });
  });
});

describe('the post of a barcode that was scanned before', () => {
  const post = (scan: Partial<ReceivedScan>, rules: object[] = []): Post =>
    ({
      kind: 'scan',
      key: 'k',
      owner: { installation: 'T1', team: 'T1' },
      channel: 'C1',
      rules: rules.map((_, n) => ({ id: `r${n}`, name: '' })),
      mention: { users: [], groups: [] },
      watchers: [],
      relay: {
        id: 'relay1',
        serviceIds: ['101'],
        serviceName: 'Main gate',
        settings: relaySettingsSchema.parse({
          rules: rules.map((when, n) => ({ id: `r${n}`, when, channel: 'C1' })),
        }),
      },
      scan: {
        id: 's',
        relayId: 'relay1',
        receivedAt: at,
        tid: 'T',
        valid: false,
        text: '',
        answers: [],
        properties: [],
        ...scan,
      },
    }) as unknown as Post;
  const earlier = { scans: 2, accepted };
  const told = (...args: Parameters<typeof relayPost>) => read(relayPost(...args).blocks);

  it('a post of a repeated barcode says where, by whom and with which device it was admitted, by name or ID', () => {
    const names = { scan: {}, services: new Map(), earlier: { user: 'mia' } };
    expect(told(post({ earlier }), names)).toContain('3rd scan · admitted  · Main gate · mia · unnamed device phone');
    expect(told(post({ earlier }))).toContain('· Main gate · unnamed user 7 · unnamed device phone');
  });

  it('a post of a valid, repeated scan numbers the scan only if a rule about duplicates posts the scan', () => {
    expect(told(post({ earlier, valid: true }))).not.toContain('3rd scan');
    expect(told(post({ earlier, valid: true }, [{ kind: 'result', is: 'duplicate' }]))).toContain('3rd scan');
    expect(told(post({ earlier, valid: true }, [{ kind: 'every' }]))).not.toContain('3rd scan');
  });

  it('a post shows the names of an earlier admission as plain text', () => {
    const names = { scan: {}, services: new Map(), earlier: { user: '<!channel> *b*' } };
    const { blocks } = relayPost(post({ earlier }), names);
    expect(JSON.stringify(blocks[0])).toContain('"text":" · <!channel> *b*"');
    expect(blocks[0]).toMatchObject({ type: 'rich_text' });
  });

  it('a digest says that a scan is the third scan of its barcode', () => {
    const one = post({ earlier });
    const digest = {
      ...one,
      ...{ kind: 'digest', why: 'collected', from: at, alarms: [] },
      ...{ tally: { scans: 1, findings: [], services: [] }, first: [(one as Extract<Post, { kind: 'scan' }>).scan] },
    } as unknown as Post;
    expect(told(digest)).toContain('T  · 3rd scan');
  });
});
