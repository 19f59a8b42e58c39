import { describe, expect, it } from 'vitest';
import { type CardPost, type Relay, relaySettingsSchema } from '../../../src/relay/index.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { cardLines, cardTitle } from '../../../src/slack/channel-posts/blocks/digest-post.js';
import { dateFormatsMade } from '../../helpers/intl-formats.js';
import { read } from '../block-kit/reading.js';

const relay: Relay = {
  id: 'r1',
  owner: { installation: 'T1', team: 'T1' },
  serviceIds: ['101'],
  serviceName: 'VIP lounge',
  channel: 'C0FRONTGATE',
  notable: 'all',
  createdBy: 'U0ADA',
  createdAt: 0,
  settings: relaySettingsSchema.parse({}),
};

function card(scans: number, services: readonly (readonly [id: string, count: number])[], more: Partial<Relay> = {}) {
  const post: CardPost = {
    kind: 'card',
    key: 'k',
    generation: 0,
    relay: { ...relay, ...more },
    rules: [],
    owner: relay.owner,
    channel: relay.channel,
    mention: { users: [], groups: [] },
    watchers: [],
    day: '2026-11-21',
    tally: {
      scans,
      findings: [{ finding: 'invalid', count: scans }],
      services: services.map(([serviceId, count]) => ({ serviceId, count })),
    },
    alarms: [],
  };
  return { title: cardTitle(post), text: read([richText(...cardLines(post, new Map([['101', 'VIP lounge']])))]) };
}

describe('the card above a thread', () => {
  it('a thread’s card shows the day and results, and for a relay of any service the scans by service', () => {
    expect(card(1, [['101', 1]])).toEqual({
      title: '📋 VIP lounge · Nov 21',
      text: '📋 VIP lounge · Nov 21\n1 scan so far, in the thread\n❌ Not valid 1',
    });
    const two: [string, number][] = [
      ['101', 1_200],
      ['102', 3],
    ];
    expect(card(1_203, two, { serviceIds: [], serviceName: 'Any service' }).text).toBe(
      '📋 Any service · Nov 21\n1,203 scans so far, in the thread\n❌ Not valid 1,203\nVIP lounge 1,200 · unnamed service 102 3',
    );
    expect(card(1, [['101', 1]], { serviceIds: [], serviceName: 'Any service' }).text).toContain('\nVIP lounge 1');
  });

  it('a thread’s card is redrawn 50 times without building an Intl date format', async () => {
    const made = await dateFormatsMade(() => {
      for (let n = 1; n <= 50; n += 1) {
        expect(card(n, [['101', n]]).title).toContain('Nov 21');
      }
    });
    expect(made).toBe(0);
  });
});
