import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { shownBarcode } from '../../../src/slack/channel-posts/shown-barcode.js';
import { anyText } from '../../helpers/any-text.js';
import { fullPosts, sampleScan } from './sample-posts.js';

const read = (tid: string) => shownBarcode(relayPost({ ...fullPosts.scan, scan: { ...sampleScan, tid } }).blocks);

describe('the barcode read back from a post', () => {
  it('the barcode read back from a post is exactly the posted barcode, or no barcode', () => {
    const barcode = anyText({ minLength: 1, maxLength: 110 });
    fc.assert(
      fc.property(barcode, (tid) => {
        expect([tid, undefined]).toContain(read(tid));
      }),
    );
  });

  it.each(['0123', ' 0 ', 'A&B <1>', '*b* `c` :100:', '部品'])('the barcode %j is read back from a post', (tid) => {
    expect(read(tid)).toBe(tid);
  });

  it.each(['01\u001d17', 'A\u200b', '&amp;', 'x'.repeat(501), ''])(
    'no barcode is read back from a post of the barcode %j',
    (tid) => {
      expect(read(tid)).toBeUndefined();
    },
  );

  it('no barcode is read from a message without blocks, or with blocks that no post has', () => {
    expect([undefined, 'x', [], [{ type: 'section' }], [{ type: 'rich_text', elements: 7 }]].map(shownBarcode)).toEqual(
      Array(5).fill(undefined),
    );
  });
});
