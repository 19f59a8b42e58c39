import { describe, expect, it } from 'vitest';
import { type IncidentFacts, type ReplyPost, relaySettingsSchema } from '../../../src/relay/index.js';
import { defaultAppearance } from '../../../src/slack/channel-posts/appearance/appearance.js';
import { relayPost } from '../../../src/slack/channel-posts/blocks/relay-post.js';
import { read } from '../block-kit/reading.js';
import { fullPosts, sampleRelay } from './sample-posts.js';

const at = (time: string) => Date.parse(`2026-11-25T${time}:00Z`);
const hours = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const rule = {
  ...{ id: 'r1', name: 'Front door', channel: 'C0FRONTGATE', when: { kind: 'burst', n: 5, minutes: 10 } },
  escalate: { minutes: 5, users: ['U0ADA', 'U0BO'], groups: ['S0GATE'] },
};
const relay = { ...sampleRelay, settings: relaySettingsSchema.parse({ rules: [rule] }) };
const incident: IncidentFacts = {
  ...{ postKey: 'k2', owner: relay.owner, relayId: relay.id, ruleId: 'r1', subject: 'relay', subjectId: '' },
  ...{ kind: 'burst', beganAt: at('17:00'), openedAt: at('17:02'), lastAt: at('17:14'), scans: 37 },
  ...{ tally: { findings: {}, services: {} }, repliedAt: at('17:24'), reposts: 0, escalatedAt: at('17:07') },
  acknowledged: { by: 'U0MIA', at: at('17:09'), note: 'on *my* way &amp; back' },
  assigned: { to: 'U0BO', by: 'U0MIA', at: at('17:10') },
  resolved: { by: 'U0BO', at: at('17:15'), reason: 'Fixed: reader restarted' },
};
const over: ReplyPost = {
  ...{ key: 'k2.over', generation: 0, owner: relay.owner, relay, channel: relay.channel, kind: 'reply' },
  ...{ rules: [], mention: { users: [], groups: [] }, watchers: [], reply: { part: 'over' } },
  incident: { ...incident, ended: { at: at('23:24'), why: 'calm' } },
};
const people = new Map(
  [
    ['U0ADA', 'Ada'],
    ['U0MIA', 'Mia'],
    ['U0BO', 'Bo & Co'],
  ].map(([id = '', name = '']) => [id, { id, name, zone: 'America/Lima', isActive: true }]),
);
const names = { scan: {}, services: new Map(), people };
const copied = (post: ReplyPost) =>
  relayPost(post, names)
    .blocks.flatMap((block) => (block.type === 'rich_text' ? block.elements : []))
    .filter(({ type }) => type === 'rich_text_preformatted')
    .map((part) => read([{ type: 'rich_text', elements: [part] }]));

describe('an alert', () => {
  it('an alert’s message counts its scans once', () => {
    const { acknowledged: _, assigned: __, resolved: ___, escalatedAt: ____, ...open } = incident;
    const counted = (look: 'full' | 'line') => {
      const { blocks } = relayPost({ ...fullPosts.burst, relay, incident: open }, names, {
        ...defaultAppearance,
        look,
      });
      return read(blocks.filter(({ type }) => type === 'rich_text'));
    };
    for (const look of ['full', 'line'] as const) {
      expect(counted(look)).toMatch(/🚨 37 scans not valid since /);
      expect(counted(look).match(/scans/g)).toHaveLength(1);
    }
  });

  it('the message of an alert that is over names the service of the first scan again, unless the relay is called so', () => {
    const scan = { ...fullPosts.burst.scan!, sid: '101' };
    const ended = {
      ...incident,
      kind: 'silence' as const,
      ended: { at: at('23:24'), why: 'scan' as const },
      endScan: scan,
    };
    const post = { ...fullPosts.silence, relay: { ...relay, serviceName: 'Gate A' }, incident: ended };
    const said = (service: string) =>
      read(relayPost(post, { ...names, services: new Map([['101', service]]) }).blocks).match(/Gate [AB]/g);
    expect(said('Gate B')).toEqual(['Gate B', 'Gate A']);
    expect(said('Gate A')).toEqual(['Gate A']);
  });

  it('an alert’s message lists what people did about the alert, in order', () => {
    const text = JSON.stringify(relayPost({ ...fullPosts.burst, relay, incident }, names).blocks);
    const told = ['Escalated', 'Acknowledged by <@U0MIA>', 'Handed over to <@U0BO>', 'Resolved by <@U0BO>'];
    const places = told.map((part) => text.indexOf(part));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const early = { ...incident, escalatedAt: at('17:11') };
    const other = JSON.stringify(relayPost({ ...fullPosts.burst, relay, incident: early }, names).blocks);
    expect(other.indexOf('Acknowledged by')).toBeLessThan(other.indexOf('Escalated'));
  });

  it('the reply at an alert’s end repeats nothing of the live message but that it is over, beside the story', () => {
    const aboveStory = (post: ReplyPost) => read(relayPost(post, names).blocks).split('Alert “')[0];
    expect(aboveStory(over)).toBe('🟢 Over');
    const tally = { findings: { invalid: 30, duplicate: 7 }, services: { 1: 37 } };
    expect(aboveStory({ ...over, incident: { ...over.incident, tally } })).toMatch(
      /^🟢 Over\n❌ Not valid 30 · ❌ Already used 7$/,
    );
  });

  it('an alert that began and ended within a minute says “at” that minute, and a longer one from when to when', () => {
    const ended = { at: at('23:24'), why: 'calm' as const };
    const shown = (lastAt: number) =>
      read(relayPost({ ...fullPosts.burst, relay, incident: { ...incident, ended, lastAt } }, names).blocks);
    expect(shown(incident.beganAt + 30_000)).toMatch(/At (?!.*From )/s);
    expect(shown(incident.lastAt)).toMatch(/From .* to |From {2}to /s);
  });

  it('an alert that is over has a text to copy in its thread: each event with its time and people, by name', () => {
    expect(copied(over)).toEqual([
      [
        'Alert “Front door” · Gate A',
        '25 Nov 2026',
        '  12:02  Opened',
        '  12:07  Escalated to Ada, Bo & Co, 1 user group',
        '  12:09  Acknowledged by Mia: on *my* way &amp; back',
        '  12:10  Handed over to Bo & Co by Mia',
        '  12:15  Resolved by Bo & Co: Fixed: reader restarted',
        '  18:24  Over · 37 scans not valid within 14 min',
        'Times: America/Lima',
      ].join('\n'),
    ]);
    // The end of an alert mentions nobody.
    expect(JSON.stringify(relayPost(over, names))).not.toContain('U0');
  });

  it('an alert’s times are in the zone of its rule’s hours, with the day where it changes', () => {
    const silence = { ...rule, when: { kind: 'silence', of: 'relay', minutes: 10, hours } };
    const settings = relaySettingsSchema.parse({ rules: [silence] });
    const [text] = copied({ ...over, relay: { ...relay, settings } });
    expect(text).toContain('25 Nov 2026\n  18:02  Opened');
    expect(text).toContain('26 Nov 2026\n  00:24  Over');
    expect(text).toContain('Times: Europe/Berlin');
  });

  it('an update about an ongoing alert has no text to copy', () => {
    expect(copied({ ...over, reply: { part: 'update', scans: 7, tally: incident.tally } })).toEqual([]);
  });
});
