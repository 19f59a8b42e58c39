import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Post, ReceivedScan, ScanPost } from '../../../src/relay/index.js';
import { defaultAppearance } from '../../../src/slack/channel-posts/appearance/appearance.js';
import type { PostNames } from '../../../src/slack/channel-posts/blocks/post-names.js';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import type { Members } from '../../../src/workspaces/members.js';
import { fullPosts, sampleAt, sampleScan } from './sample-posts.js';

const line = { ...defaultAppearance, look: 'line' as const };
const names: PostNames = {
  scan: { service: 'Gate A', user: 'mara', device: 'Phone' },
  earlier: { service: 'Gate A', user: 'mara' },
  services: new Map([['101', 'Gate A']]),
};
const quiet = { mention: { users: [], groups: [] }, watchers: [], rules: [] };
const of = (scan: Partial<ReceivedScan> = {}, more: Partial<ScanPost> = {}): ScanPost => ({
  ...{ ...fullPosts.scan, ...quiet },
  scan: { ...sampleScan, ...scan },
  ...more,
});

interface Element {
  readonly type: string;
  readonly text?: string;
  readonly format?: string;
  readonly user_id?: string;
  readonly style?: { readonly code?: boolean };
}

const elementsOf = (post: Post, with_: PostNames = names): readonly Element[] => {
  const blocks = relayPost(post, with_, line).blocks.filter(({ type }) => type !== 'actions');
  expect(blocks.map(({ type }) => type)).toEqual(['rich_text']);
  const [block] = blocks as unknown as { elements: { elements: Element[] }[] }[];
  expect(block!.elements).toHaveLength(1);
  return block!.elements[0]!.elements;
};
const read = (post: Post, with_?: PostNames) =>
  elementsOf(post, with_)
    .map(({ type, text = '', format = '', user_id: user }) =>
      type === 'date' ? format : type === 'user' ? `@${user}` : text,
    )
    .join('');

describe('a post in one line', () => {
  it('a one-line post shows icon, barcode, service and result, then the admission and the scan’s number', () => {
    expect(read(of())).toBe('❌ 0123 · Gate A · already used {time} by mara · 3rd scan');
    expect(read(of({ valid: true, finding: 'valid', text: 'Row 5', earlier: undefined }))).toBe(
      '✅ 0123 · Gate A · valid · Row 5',
    );
    expect(read(of({ finding: 'invalid', text: 'Wrong day' }))).toBe(
      '❌ 0123 · Gate A · not valid · Wrong day · admitted {time} by mara · 3rd scan',
    );
  });

  it('a one-line post without a known service names no user or device in its place', () => {
    const { sid: _, ...scan } = sampleScan;
    const post = { ...of(), scan, relay: { ...fullPosts.scan.relay, serviceIds: [] } };
    expect(read(post, { ...names, scan: { user: 'mara', device: 'Phone' } })).toMatch(/^❌ 0123 · already used/);
  });

  it('a one-line post states the day of an older admission, and of a late scan', () => {
    const accepted = { ...sampleScan.earlier!.accepted!, at: sampleAt - 3 * 86_400_000 };
    expect(read(of({ earlier: { ...sampleScan.earlier!, accepted } }))).toContain(
      'already used {date_short_pretty} {time} by mara',
    );
    expect(read(of({ late: true }))).toContain(' · scanned {date_short_pretty} {time}');
  });

  it('a post of each kind can be shown in one line', () => {
    expect(read({ ...fullPosts.burst, ...quiet })).toBe('🚨 5 scans not valid within 10 minutes · Gate A · last 0123');
    expect(read({ ...fullPosts.silence, ...quiet })).toBe(
      '🔇 Check the device. No scan from Phone for 15 minutes; last scan {date_short_pretty} {time} · Gate A',
    );
    expect(read({ ...fullPosts.digest, ...quiet })).toBe(
      '📦 13 scans · Gate A · ✅ Valid 9 · ❌ Not valid 4 · ⚠️ 1 alert',
    );
    expect(read({ ...fullPosts.card, ...quiet })).toContain('13 scans so far · ✅ Valid 9 · ❌ Not valid 4');
    for (const post of Object.values(fullPosts)) expect(read(post)).not.toContain('\n');
  });

  it('a one-line post shows a barcode of 40 characters whole, and of a long barcode its beginning and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), (tid) => {
        expect(elementsOf(of({ tid })).filter(({ style }) => style?.code)).toMatchObject([{ text: tid }]);
      }),
    );
    const long = read(of({ tid: '0'.repeat(4_296) }));
    expect(long).toContain(`❌ ${'0'.repeat(30)}… (4,296 characters) · Gate A`);
    expect(long.length).toBeLessThan(200);
  });

  it('a one-line post never turns outside text into a mention, a link, an emoji or another line', () => {
    const nasty = '<!channel> <@U1> *b* :tada: `c` https://x.example\nnext';
    const post = of({ tid: nasty, text: nasty, finding: 'invalid' });
    const shown = elementsOf(post, { scan: { service: nasty }, earlier: { user: nasty }, services: new Map() });
    expect(new Set(shown.map(({ type }) => type))).toEqual(new Set(['text', 'date']));
    expect(read(post)).not.toContain('\n');
  });

  it('a one-line post mentions people first, marks watchers, and has the acknowledgement last', () => {
    const post = of(
      {},
      {
        mention: { users: ['U0ADA', 'U0MIA'], groups: [] },
        watchers: ['U0MIA'],
        acknowledged: { by: 'U0GUS', at: sampleAt },
      },
    );
    expect(read(post)).toMatch(/^@U0ADA ❌ 0123 · .* · watched by @U0MIA · ✅ acknowledged by @U0GUS, \{time\}$/);
    expect(relayPost(post, names, line).text).toMatch(/^<@U0ADA> <@U0MIA> /);
  });
});

describe('a watcher who made the scan', () => {
  const members: Members = new Map([
    ['7', { id: 'U0MIA', name: 'Mia Olsen' }],
    ['8', { id: 'U0ADA', name: 'Ada' }],
  ]);
  const linked = { ...names, members };
  const watched = of({}, { mention: { users: ['U0MIA', 'U0GUS'], groups: [] }, watchers: ['U0MIA', 'U0GUS'] });
  const whole = (post: Post, with_: PostNames = linked) => JSON.stringify(relayPost(post, with_));

  it('a watcher who made the scan is not mentioned in the scan’s post, and other watchers are mentioned', () => {
    for (const look of [defaultAppearance, line]) {
      const post = relayPost(watched, linked, look);
      expect(JSON.stringify(post)).not.toContain('U0MIA');
      expect(JSON.stringify(post)).toContain('Mia Olsen (own scan)');
      expect(post.text).toMatch(/^<@U0GUS> /);
    }
    const alone = of({}, { mention: { users: ['U0MIA'], groups: [] }, watchers: ['U0MIA'] });
    expect(relayPost(alone, linked).text).toMatch(/^❌/);
    expect(whole(alone)).not.toContain('U0MIA');
  });

  it('a watcher is mentioned for scans by other people, and by a user who is not linked to a member', () => {
    expect(whole(of({ userid: '8' }, { mention: watched.mention, watchers: watched.watchers }))).toContain('<@U0MIA>');
    expect(whole(watched, names)).toContain('<@U0MIA>');
    const { userid: _, ...nobody } = watched.scan;
    expect(whole({ ...watched, scan: nobody })).toContain('<@U0MIA>');
  });

  it('a watcher who made the scan is still mentioned by a rule that names the watcher', () => {
    const rule = { id: 'vip', name: 'VIP', when: [], unless: [], mention: { users: ['U0MIA'], groups: [] } };
    const { relay } = watched;
    const called = {
      ...watched,
      rules: [{ id: 'vip', name: 'VIP' }],
      relay: { ...relay, settings: { ...relay.settings, rules: [rule] } },
    } as unknown as ScanPost;
    expect(relayPost(called, linked).text).toMatch(/^<@U0MIA> <@U0GUS> /);
  });

  it('a watcher is mentioned by a digest unless all its watched scans are known to be the watcher’s own', () => {
    const digest = { ...fullPosts.digest, rules: [] };
    expect(whole(digest)).not.toContain('U0MIA');
    expect(whole({ ...digest, watched: [...digest.watched, { who: 'U0MIA', by: '8' }] })).toContain('<@U0MIA>');
    expect(whole({ ...digest, watched: [...digest.watched, { who: 'U0MIA' }] })).toContain('<@U0MIA>');
    expect(whole({ ...digest, watched: [] })).toContain('<@U0MIA>');
  });
});
