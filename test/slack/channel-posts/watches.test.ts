import { describe, expect, it } from 'vitest';
import { watchedMessage, watchesMessage } from '../../../src/slack/channel-posts/watches/watches-message.js';
import { read } from '../block-kit/reading.js';

const until = Date.UTC(2026, 4, 1, 12);
const watch = { id: 'w1', value: '00777', channel: 'C0GENERAL', who: 'U0ADA', madeAt: 0, until };

describe('what people read of watched barcodes', () => {
  it('the answer to a watch says that each scan a relay receives mentions the watcher, until when', () => {
    const { blocks } = watchedMessage(watch);
    expect(read(blocks)).toContain('Each scan of it that a relay receives is posted here with an @mention for you, ');
    expect(JSON.stringify(blocks)).toContain('"until {date_short_pretty} {time}"');
    expect(JSON.stringify(blocks)).toContain('"until 2026-05-01 12:00 UTC"');
    expect(read(blocks)).not.toContain('No relay is set up');
  });

  it('the answer to a watch warns that no scans reach Scandesk while no relay is set up', () => {
    expect(read(watchedMessage(watch, { noRelays: true }).blocks)).toContain(
      '⚠️ No relay is set up yet, so no scans reach Scandesk. An admin can set one up with /scandesk relay.',
    );
  });

  it('the list of watches says how many barcodes are watched', () => {
    expect(read(watchesMessage([watch]).blocks)).toMatch(/^1 watched barcode/);
    expect(watchesMessage([watch, { ...watch, id: 'w2' }]).text).toBe('2 watched barcodes');
  });
});
