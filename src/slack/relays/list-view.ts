/** The modal of `/scandesk relay`: the workspace's relays, page by page, and a button to add one. Pure. */
import { z } from 'zod';
import type { RelayState } from '../../relay/relays/types.js';
import { actions, type Block, button, context, divider, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { pageOf, turnButtons } from '../block-kit/page.js';
import { bold, richText } from '../block-kit/text.js';
import { encode, longest, originMetadata } from '../bolt/metadata.js';
import { relayLine, relayName, stateLine } from '../channel-posts/describe/describe-relay.js';
import { relayButton } from './relay-view.js';

export const relaysTitle = 'Relays';

/** The data of the buttons to other pages. */
export const relayPageData = z.object({ page: z.number().int().min(0) });

/** The most relays on a page: each takes three blocks, and a modal takes 100. */
const relaysAPage = 25;

/** @param page the number of the page, from 0 */
export function relayListView(
  states: readonly RelayState[],
  page: number,
  { channel, ...notice }: ViewNotice & { readonly channel?: string | undefined } = {},
): ModalView {
  const shown = pageOf(states, page, relaysAPage);
  const turns = turnButtons(shown, ['relay.before', 'relay.after'], (to) =>
    encode(relayPageData, { page: to }, longest.button),
  );
  const blocks: Block[] = [
    ...noticeBlocks(notice),
    ...(states.length === 0 ? [introduction] : []),
    ...shown.rows.flatMap((state) => [
      richText([...relayLine(state.relay), '\n', ...stateLine(state)]),
      actions([
        button('Manage', 'relay.manage', {
          value: encode(relayButton, { relay: state.relay.id }, longest.button),
          accessibility_label: `Manage the relay for ${relayName(state.relay)}`.slice(0, 75),
        }),
      ]),
      divider,
    ]),
    ...(shown.range === undefined ? [] : [context(`Relays ${shown.range}.`)]),
    actions([...turns, button('New relay', 'relay.new', { style: 'primary' })]),
  ];
  return modalView(relaysTitle, blocks, {
    callback_id: 'relay.list',
    private_metadata: encode(originMetadata, { channel }),
  });
}

const introduction = richText([
  bold('Get scans in Slack as they happen.'),
  '\nA relay is a webhook URL: point a service at it and Scandesk posts the scans you choose.',
]);
