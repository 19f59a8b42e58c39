import { expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import type { DeliveredPost, Mute } from '../../../src/relay/relays/types.js';
import { muteView } from '../../../src/slack/channel-posts/watches/mute-form.js';
import { type MutedNames, mutedMessage } from '../../../src/slack/channel-posts/watches/mutes-message.js';
import { read } from '../block-kit/reading.js';
import { noon } from '../lookup/lookup-samples.js';

const names: MutedNames = { relay: () => undefined, rule: (_, id) => (id === 'r1' ? 'From Gate A phone' : undefined) };
const mute = (what: Mute['what']): Mute => ({ id: 'm', channel: 'C1', what, who: 'U1', madeAt: noon, until: noon });
const said = (what: Mute['what']) => read(mutedMessage(mute(what), names).blocks);

it('the message about a mute names a rule by its title, and a deleted rule or relay without its ID', () => {
  expect(said({ kind: 'rule', relayId: 'x', ruleId: 'r1' })).toContain('muted the rule “From Gate A phone” here');
  expect(said({ kind: 'rule', relayId: 'x', ruleId: 'fLC4RerbbAgz' })).toContain('muted a deleted rule here');
  expect(said({ kind: 'relay', relayId: '4zJdN_XOaEu6' })).toContain('muted a deleted relay here');
});

it('the message about a mute says that scans are not posted, or of a rule’s that this rule does not post', () => {
  expect(said({ kind: 'relay', relayId: 'x' })).toContain('answered; they just aren’t posted here.');
  expect(said({ kind: 'value', value: 'A-1' })).toContain('answered; they just aren’t posted here.');
  expect(said({ kind: 'rule', relayId: 'x', ruleId: 'r1' })).toContain('answered; this rule just doesn’t post here.');
});

it('a mute’s form offers a post’s rules by their titles, and leaves out a rule that has no title', () => {
  const when = { kind: 'from', what: 'device', ids: ['a3f1'] };
  const settings = relaySettingsSchema.parse({ rules: [{ id: 'r1', channel: 'C1', when }] });
  const post = {
    ...{ key: 'k', channel: 'C1', relay: { id: 'x', serviceName: 'VIP lounge', settings } },
    rules: [
      { id: 'r1', name: '' },
      { id: 'gone', name: '' },
      { id: 'renamed', name: 'VIPs' },
    ],
  } as unknown as DeliveredPost;
  const form = muteView(post, (_, id) => (id === 'a3f1' ? 'Gate A phone' : undefined));
  const shown = JSON.stringify(form.blocks);
  expect(shown).toContain(
    '"text":"Posts of the rule “When a scan is made with Gate A phone”","emoji":false},"value":"rule.0"',
  );
  expect(shown).toContain('"text":"Posts of the rule “VIPs”","emoji":false},"value":"rule.2"');
  expect(shown).not.toContain('rule.1');
});
