/** Relays with their health; people with access retry and manage them. Pure. */
import { countOf } from '../../../english.js';
import type { RelayState } from '../../../relay/relays/types.js';
import { type Actions, actions, type Block, button, context } from '../../block-kit/elements.js';
import { bold, richText } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { relayLine, relayName, stateLine } from '../../channel-posts/describe/describe-relay.js';
import { relayButton, retryButton, tryAgainButtons } from '../../relays/relay-view.js';

/** The most relays shown; each takes up to two blocks. */
const mostShown = 5;

export function relayBlocks(states: readonly RelayState[], mayManage: boolean): Block[] {
  if (states.length === 0) {
    return mayManage
      ? [
          richText([bold('Relays')], 'None yet. With a relay, scans are posted in a channel as they happen.'),
          actions([button('New relay', 'relay.new')], 'home.relays'),
        ]
      : [];
  }
  const others = states.filter((state) => !needsSomebody(state));
  const shownRelays = others.slice(0, mostShown);
  const allAbove = shownRelays.length === 0 ? ['All need somebody: see above.'] : [];
  const relaysLeft = others.length - shownRelays.length;
  return [
    ...(shownRelays.length > 0 || mayManage ? [richText([bold('Relays')], ...allAbove)] : []),
    ...relayRows(shownRelays, mayManage),
    ...(relaysLeft > 0 ? [context(`And ${countOf(relaysLeft, 'more relay')}.`)] : []),
    ...(mayManage
      ? [actions([button('All relays', 'relay.list'), button('New relay', 'relay.new')], 'home.relays')]
      : []),
  ];
}

/** Whether a relay is in App Home's first section. */
export function needsSomebody({ relay, dead, blocked, refused }: RelayState): boolean {
  return relay.paused !== undefined || dead > 0 || blocked.length > 0 || refused.length > 0;
}

export function relayRows(states: readonly RelayState[], mayManage: boolean): Block[] {
  return states.flatMap((state) => [
    richText(relayLine(state.relay), stateLine(state)),
    ...(mayManage ? [actions(relayButtons(state), `home.relay.${state.relay.id}`)] : []),
  ]);
}

function relayButtons(state: RelayState): Actions['elements'] {
  const { relay, dead } = state;
  const value = encode(relayButton, { relay: relay.id }, longest.button);
  return [
    ...tryAgainButtons(state, value),
    ...(dead > 0 ? [retryButton({ dead }, value)] : []),
    button('Manage', 'relay.manage', {
      value,
      accessibility_label: `Manage the relay for ${relayName(relay)}`.slice(0, 75),
    }),
  ];
}
