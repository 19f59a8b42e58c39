import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countOf } from '../../../src/english.js';
import { momentAfter, momentElement, mrkdwnMoment, mrkdwnMomentAfter } from '../../../src/slack/block-kit/text.js';
import { happenedBlocks } from '../../../src/slack/channel-posts/blocks/post-parts.js';
import { limitsMessage } from '../../../src/slack/connection/limits-command.js';
import { callsLeftLine } from '../../../src/slack/lookup/card/card.js';
import { fullPosts } from '../channel-posts/sample-posts.js';

const at = Date.UTC(2026, 4, 1, 6);
const room = new URL('../../../src/slack/', import.meta.url);

describe('moments and figures within a sentence', () => {
  it('the words before a moment in a sentence are part of its date format and of its fallback text', () => {
    expect(momentElement(at)).toMatchObject({
      format: '{date_short_pretty} {time}',
      fallback: '2026-05-01 06:00 UTC',
    });
    expect(momentAfter('until ', at)).toMatchObject({
      format: 'until {date_short_pretty} {time}',
      fallback: 'until 2026-05-01 06:00 UTC',
    });
    expect(mrkdwnMoment(at)).toBe(`<!date^${at / 1_000}^{date_short_pretty} {time}|2026-05-01 06:00 UTC>`);
    expect(mrkdwnMomentAfter(', ', at)).toBe(
      `<!date^${at / 1_000}^, {date_short_pretty} {time}|, 2026-05-01 06:00 UTC>`,
    );
  });

  it('the messages about API calls left say when each limit resets', () => {
    const counter = { left: 20_000, limit: 21_600, resetsAt: at };
    const said = JSON.stringify(limitsMessage({ minute: counter, day: counter }).blocks);
    expect(said).toContain('"resets {date_short_pretty} at {time}"');
    expect(said).toContain('"resets at {time_secs}"');
    expect(callsLeftLine({ minute: counter, day: { ...counter, left: 3 } }, 1)).toMatch(
      /^3 of 21,600 API calls left for the whole account today; <!date\^\d+\^resets \{date_short_pretty\} at \{time\}\|/,
    );
  });

  it('an acknowledged post says by whom and when it was acknowledged', () => {
    const blocks = happenedBlocks({ ...fullPosts.scan, acknowledged: { by: 'U0MIA', at } });
    expect(JSON.stringify(blocks)).toContain('by <@U0MIA><!date^1777615200^, {date_short_pretty}');
  });

  it('a count has thousands separators, and its noun is singular or plural', () => {
    expect([countOf(1, 'value'), countOf(1_200, 'value'), countOf(0, 'box', 'boxes')]).toEqual([
      '1 value',
      '1,200 values',
      '0 boxes',
    ]);
  });

  it('no text element that ends in a word stands right before a moment in src/slack', () => {
    const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const wrong = files.flatMap((name) => {
      const source = readFileSync(new URL(name, room), 'utf8');
      return [...source.matchAll(/textElement\([^()]*[\w,] ['`]\),\s*momentElement\([^()]*?\)/g)]
        .map(([found]) => `${name}: ${found}`)
        .filter((found) => !/'\{time/.test(found));
    });
    expect(files.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});
