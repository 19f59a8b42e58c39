import { describe, expect, test } from 'vitest';
import type { Post, ReceivedScan } from '../../../src/relay/index.js';
import { modalView } from '../../../src/slack/block-kit/elements.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { defaultAppearance } from '../../../src/slack/channel-posts/appearance/appearance.js';
import type { PostNames } from '../../../src/slack/channel-posts/blocks/post-names.js';
import {
  channelBlocked,
  relayPaused,
  relayUndelivered,
} from '../../../src/slack/channel-posts/blocks/relay-notices.js';
import { postDetails, relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { postMetadata } from '../../../src/slack/posts/post-search.js';
import { effort } from '../../helpers/effort.js';
import { read } from '../block-kit/reading.js';
import { hostileTexts, refusedMessage, refusedView } from '../slack-limits.js';
import { fullPosts, sampleRelay, sampleScan } from './sample-posts.js';

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** A scan with the text in every field, and with more answers and properties than a request of 64 KB holds. */
function scanWith(text: string): ReceivedScan {
  const part = text.slice(0, 800);
  return {
    ...sampleScan,
    ...{ tid: text === '' ? '0' : text, text, sid: text, userid: text, udid: text, scanId: text },
    answers: many(50, () => ({ questionId: part, question: part, answer: part })),
    properties: many(200, (n) => ({ name: `${n}${part}`, value: part })),
  };
}

/** A post of each of five kinds, with the text in every field, and with the most entries in every list. */
function hostilePosts(text: string): Post[] {
  const scan = scanWith(text);
  const relay = {
    ...sampleRelay,
    serviceName: text,
    settings: { ...sampleRelay.settings, rules: many(50, (n) => ruleNamed(`rule${n}`, '')) },
  };
  const ids = [
    ...many(25, (n) => ({ id: `rule${n}`, name: '' })),
    ...many(25, (n) => ({ id: `other${n}`, name: text })),
  ];
  const people = many(50, (n) => `U${n}MIA`);
  const more = {
    ...{ relay, rules: ids, watchers: people, mention: { users: people, groups: many(20, (n) => `S${n}`) } },
    acknowledged: { by: 'U0MIA', at: 1, note: text },
  };
  const tally = {
    scans: 1_000_000,
    findings: many(12, () => ({ finding: 'invalid' as const, count: 1_000_000 })),
    services: many(100, () => ({ serviceId: text, count: 1_000_000 })),
  };
  const alarms = many(200, () => ({ kind: 'silence' as const, of: 'device' as const, id: text, minutes: 5, since: 1 }));
  return [
    { ...fullPosts.scan, ...more, scan },
    { ...fullPosts.burst, ...more, scan },
    { ...fullPosts.silence, ...more, silence: { of: 'device', id: text, minutes: 15, since: 1 } },
    { ...fullPosts.digest, ...more, tally, alarms, first: many(10, () => scan) },
    { ...fullPosts.card, ...more, tally, alarms },
  ];
}

function ruleNamed(id: string, name: string) {
  const value = { kind: 'value' as const, is: many(1_000, (n) => `${n}-0123456789`), exact: true };
  return {
    ...{ id, name, on: true, when: [value, value, value], unless: [value, value], action: 'post' as const },
    ...{ channel: 'C0FRONTGATE', mention: { users: [], groups: [] }, how: 'each' as const, digestMinutes: 5 },
  };
}

const namesWith = (text: string): PostNames => ({
  scan: { service: text, user: text, device: text },
  earlier: { service: text, user: text, device: text },
  services: new Map([[text, text]]),
  rules: () => text,
});

describe('a post', { timeout: 60_000 }, () => {
  const kinds = hostilePosts('').map(({ kind }, n) => [kind, n] as const);

  test.each(kinds)('Slack accepts a post of the kind “%s”, whatever the scan holds', (_kind, n) => {
    // A short run tries each text once for each kind, with names and looks in turn.
    const looks = effort<readonly (readonly ('full' | 'line')[])[]>({
      short: [['full'], ['line']],
      long: [['full', 'line']],
    });
    for (const [at, text] of hostileTexts.entries()) {
      const post = hostilePosts(text)[n]!;
      const named = effort({ short: [namesWith(at % 3 === 0 ? '' : text)], long: [namesWith(text), namesWith('')] });
      for (const names of named) {
        for (const look of looks[(at + n) % looks.length]!) {
          const shown = relayPost(post, names, { ...defaultAppearance, look });
          const content = { ...shown, metadata: postMetadata({ key: post.key, generation: 0 }) };
          expect(refusedMessage(content), `${look}: ${visible(text).slice(0, 20)}…`).toBeUndefined();
        }
        expect(refusedView(modalView('Details', postDetails(post, names)))).toBeUndefined();
      }
    }
  });

  test('a post states how many answers and properties it leaves out, and shows a barcode of 100 characters whole', () => {
    const scan = { ...scanWith('x'.repeat(500)), tid: '0'.repeat(100) };
    const shown = read(relayPost({ ...fullPosts.scan, scan }).blocks);
    expect(shown).toContain('0'.repeat(100));
    expect(shown).toMatch(/and \d+ more answers/);
    expect(shown).toMatch(/and \d+ more properties/);
  });

  test('only a post that leaves something out offers Details, which show the whole scan', () => {
    const scan = {
      ...sampleScan,
      answers: many(50, (n) => ({ questionId: `${n}`, question: `Q${n}?`, answer: `A${n}` })),
    };
    const post = { ...fullPosts.scan, scan };
    expect(JSON.stringify(relayPost(post).blocks)).toContain('post.details');
    expect(read(postDetails(post, namesWith('n')))).toMatch(/A0.*A49/s);
    expect(read(postDetails(post, namesWith('n')))).not.toContain('more answer');
    expect(JSON.stringify(relayPost(fullPosts.scan).blocks)).not.toContain('post.details');
  });

  test('Slack accepts notices of a pause, a blocked channel and lost posts with any names and error codes', () => {
    for (const text of hostileTexts) {
      const relay = { ...sampleRelay, serviceName: text };
      expect(refusedMessage(relayPaused({ ...relay, paused: { at: 1, why: 'token_revoked' } }))).toBeUndefined();
      const queue = { ...{ installation: 'T1', team: 'T1', channel: 'C1' }, code: text, at: 1, retryAt: 1 };
      expect(
        refusedMessage(
          channelBlocked(
            queue,
            many(100, () => relay),
          ),
        ),
      ).toBeUndefined();
      const lost = many(100, (n) => ({ code: `${text}${n}`, posts: 1_000_000 }));
      expect(refusedMessage(relayUndelivered(relay, lost))).toBeUndefined();
    }
  });
});
