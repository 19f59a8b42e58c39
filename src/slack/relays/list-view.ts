/** The modal of `/scandesk relay`: all relays of the workspace, and a button to add one. Pure. */
import { z } from 'zod';
import type { RelayState } from '../../relay/relays/types.js';
import { actions, type Block, button, context, divider, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { bold, richText, textElement } from '../block-kit/text.js';
import { relayLine, relayName, stateLine } from '../channel-posts/describe/describe-relay.js';

export const relaysTitle = 'Relays';

/** The data of the buttons to other pages. */
export const relayPage = z.object({ page: z.number().int().min(0) });

/** The most relays on a page: each takes three blocks, and a modal takes 100. */
const relaysAPage = 25;

export interface RelayListOptions {
  /** The number of the page, from 0. */
  readonly page: number;
  readonly relayValue: (id: string) => string;
  readonly pageValue: (page: number) => string;
  readonly metadata: string;
  /** The notice of the last action. */
  readonly done?: string;
}

export function relayListView(states: readonly RelayState[], options: RelayListOptions): ModalView {
  const firstIndex = options.page * relaysAPage;
  const shownRelays = states.slice(firstIndex, firstIndex + relaysAPage);
  const turns = [
    ...(options.page > 0 ? [button('← Previous', 'relay.before', { value: options.pageValue(options.page - 1) })] : []),
    ...(states.length > firstIndex + shownRelays.length
      ? [button('Next →', 'relay.after', { value: options.pageValue(options.page + 1) })]
      : []),
  ];
  const blocks: Block[] = [
    ...noticeBlocks(options),
    ...(states.length === 0 ? [introduction] : []),
    ...shownRelays.flatMap((state) => [
      richText([...relayLine(state.relay), textElement('\n'), ...stateLine(state)]),
      actions([
        button('Manage', 'relay.manage', {
          value: options.relayValue(state.relay.id),
          accessibility_label: `Manage the relay for ${relayName(state.relay)}`.slice(0, 75),
        }),
      ]),
      divider,
    ]),
    ...(states.length > relaysAPage
      ? [context(`Relays ${firstIndex + 1} to ${firstIndex + shownRelays.length} of ${states.length}.`)]
      : []),
    actions([...turns, button('New relay', 'relay.new', { style: 'primary' })]),
  ];
  return modalView(relaysTitle, blocks, { callback_id: 'relay.list', private_metadata: options.metadata });
}

const introduction = richText([
  bold('Get scans in Slack as they happen.'),
  textElement('\nA relay is a webhook URL: point a service at it and Scandesk posts the scans you choose.'),
]);
