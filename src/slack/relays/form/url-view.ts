/** The modal that shows a new webhook URL once, to the person who created it, and how to use the URL. Pure. */
import { z } from 'zod';
import type { Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/relays/types.js';
import {
  actions,
  type Block,
  button,
  divider,
  type ModalView,
  modalView,
  type RichText,
} from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, type LinePart, preformatted, richSection, richText } from '../../block-kit/text.js';
import { encode, longest, originMetadata } from '../../bolt/metadata.js';
import { relayLine } from '../../channel-posts/describe/describe-relay.js';
import { relayButton } from '../relay-view.js';

/**
 * The data of *Set up a service*. `address`: the sealed path of a new webhook URL, which the setup then enters.
 */
export const setUpButton = z.object({ relay: z.string(), address: z.string().optional() });

export interface RelayUrlOptions {
  readonly relay: Relay;
  /** The webhook URL, including its secret. */
  readonly url: string;
  /** The service to set up; undefined: any service, or the account could not list its services. */
  readonly service?: Service | undefined;
  /** `new`: the first URL of a new relay. `another`: one more URL of an existing relay. */
  readonly kind: 'new' | 'another';
  /** The sealed path of the URL, for *Set up a service*. */
  readonly address: string;
  readonly channel?: string | undefined;
}

export function relayUrlView(options: RelayUrlOptions): ModalView {
  const { relay, url, kind, address } = options;
  const setUp = encode(setUpButton, { relay: relay.id, address }, longest.button);
  const manage = encode(relayButton, { relay: relay.id }, longest.button);
  const blocks: Block[] = [
    richText(
      relayLine(relay),
      'Its webhook URL is shown only once. Copy it now, or set up a service: Scandesk enters it there and sends a test scan.',
    ),
    preformatted(url),
    actions([
      button('Set up a service', 'relay.service.open', { value: setUp, style: 'primary' }),
      button('Manage relay', 'relay.manage', { value: manage }),
    ]),
    divider,
    richText([bold('Or set it up yourself:')]),
    steps(options),
    richText([
      'Anyone who has this URL can send scans. Keep it secret.',
      ...(kind === 'another' ? [' The previous URL keeps working until you revoke it under “Manage relay”.'] : []),
    ]),
  ];
  return modalView(kind === 'new' ? 'Relay created' : 'New webhook URL', blocks, {
    callback_id: 'relay.url',
    close: 'Done',
    private_metadata: encode(originMetadata, { channel: options.channel }),
  });
}

function steps({ service }: RelayUrlOptions): RichText {
  const items: LinePart[][] = [
    service
      ? ['On the scanning account’s website, open the service ', bold(shortName(service.name)), '.']
      : ['On the scanning account’s website, open the service whose scans you want to receive.'],
    ['Enter the webhook URL as its ', bold('Postback URL'), '.', ...replaced(service)],
    ...(service && service.validationMethod !== 'postback'
      ? [
          [
            'This service validates scans itself: also turn on ',
            bold('real-time postback'),
            ' and ',
            bold('receiver only'),
            ', so that devices keep showing its own response.',
          ],
        ]
      : []),
    ['Save, then scan something. It appears in the channel.'],
  ];
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_list', style: 'ordered', elements: items.map(richSection) }],
  };
}

/** The sentence that the service's postback URL is replaced. It shows only the URL's host: the path may be secret. */
function replaced(service: Service | undefined): LinePart[] {
  const { postbackUrl } = service ?? {};
  if (!postbackUrl || !URL.canParse(postbackUrl)) {
    return [];
  }
  return [` This replaces the current one at ${shortName(new URL(postbackUrl).host)}.`];
}
