import { describe, expect, it } from 'vitest';
import type { Post } from '../../../src/relay/index.js';
import { testPrefix, testProperty } from '../../../src/scans/received/test-scan.js';
import { type Appearance, defaultAppearance } from '../../../src/slack/channel-posts/appearance/appearance.js';
import { actionBlocks, postActions } from '../../../src/slack/channel-posts/blocks/post-actions.js';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { channelPosts } from '../../../src/slack/channel-posts/index.js';
import { read } from '../block-kit/reading.js';
import { fullPosts } from './sample-posts.js';

interface Shown {
  readonly type: string;
  readonly action_id: string;
  readonly text?: { readonly text: string };
  readonly value?: string;
  readonly options?: readonly { readonly text: { readonly text: string }; readonly value: string }[];
}

const shownBy = (post: Post, chosen?: readonly string[], look: Appearance['look'] = 'full'): readonly Shown[] => {
  const appearance = { ...defaultAppearance, look, ...(chosen ? { buttons: [...chosen] } : {}) };
  const [block] = actionBlocks(post, appearance) as unknown as { elements: readonly Shown[] }[];
  return block?.elements ?? [];
};
const labels = (post: Post, chosen?: readonly string[]) =>
  shownBy(post, chosen).map(({ type, text, options }) =>
    type === 'button' ? text?.text : (options ?? []).map((option) => option.text.text),
  );

describe('what people can do with a post', () => {
  it('a post has at most two buttons, and at most five options in its menu, whatever actions are chosen', () => {
    for (const [name, post] of Object.entries(fullPosts)) {
      for (const chosen of [undefined, [], ...postActions.map(({ id }) => [id]), postActions.map(({ id }) => id)]) {
        for (const look of ['full', 'line'] as const) {
          const elements = shownBy(post, chosen, look);
          expect(elements.filter(({ type }) => type === 'button').length, name).toBeLessThanOrEqual(2);
          for (const { options = [] } of elements.filter(({ type }) => type === 'overflow')) {
            expect(options.length, `${name} as ${look} with ${chosen}`).toBeLessThanOrEqual(5);
            for (const { value } of options) expect(value.length).toBeLessThanOrEqual(150);
          }
        }
      }
    }
  });

  it('each action of a post has a listener', () => {
    const ids = channelPosts.listeners.flatMap((listener) => (listener.kind === 'action' ? listener.ids : []));
    for (const { id } of postActions) expect(ids).toContain(id);
  });

  it('a post shows the chosen action as a button, and an action that was not chosen only in the menu', () => {
    const [buttons, rest] = [shownBy(fullPosts.scan, ['post.mute']), labels(fullPosts.scan, ['post.mute'])];
    expect(rest[0]).toBe('Mute');
    expect(rest[1]).toContain('Look up');
    expect(rest[1]).not.toContain('Mute');
    expect(JSON.parse(buttons[1]!.options![0]!.value)).toMatchObject({ post: fullPosts.scan.key, do: 'post.lookup' });
  });

  it('a scan that calls nobody has Look up as its only button, valid or not; a test scan has no action on its barcode', () => {
    const { scan } = fullPosts;
    const valid = { ...scan, mention: { users: [], groups: [] }, watchers: [], scan: { ...scan.scan, valid: true } };
    expect(labels(valid)[0]).toBe('Look up');
    expect(labels(valid)[1]).toEqual(expect.arrayContaining(['Acknowledge', 'Mute']));
    expect(labels({ ...valid, watchers: ['U0MIA'] }).slice(0, 2)).toEqual(['Look up', 'Acknowledge']);
    expect(labels({ ...valid, scan: scan.scan })).toEqual(labels(valid));
    const test = {
      ...scan,
      scan: { ...scan.scan, tid: `${testPrefix}1`, properties: [{ name: testProperty, value: '1' }] },
    };
    expect(JSON.stringify(actionBlocks(test, defaultAppearance))).not.toMatch(/post\.(lookup|ack)/);
  });

  it('a post of a scan that is not valid has four words of Scandesk’s own, beside the scan itself', () => {
    const { scan } = fullPosts;
    const bare = {
      tid: '1',
      valid: false,
      text: '',
      answers: [],
      properties: [],
      finding: undefined,
      earlier: undefined,
    };
    const quiet = {
      ...scan,
      mention: { users: [], groups: [] },
      watchers: [],
      rules: [],
      scan: { ...scan.scan, ...bare },
    };
    const { blocks } = relayPost(quiet as unknown as Post);
    const buttons = labels(quiet as unknown as Post).filter((label) => typeof label === 'string');
    expect([read(blocks).split('\n')[0], ...buttons]).toEqual(['❌ Not valid', 'Look up']);
  });

  it('an acknowledged post offers no Acknowledge, a post without a barcode no lookup, a digest no action', () => {
    const post = { ...fullPosts.scan, acknowledged: { by: 'U0MIA', at: 1 } } as Post;
    expect(JSON.stringify(actionBlocks(post, defaultAppearance))).not.toContain('post.acknowledge');
    expect(JSON.stringify(actionBlocks(fullPosts.silence, defaultAppearance))).not.toContain('post.lookup');
    expect(actionBlocks(fullPosts.digest, defaultAppearance)).toEqual([]);
  });
});
