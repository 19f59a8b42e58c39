/** An answer in the lookup form's modal: its card, without buttons that need a message or a channel. Pure. */
import { actions, type Block, button, type Message, type ModalView, modalView } from '../../block-kit/elements.js';
import { encode } from '../../bolt/metadata.js';
import { type LookupModalMetadata, lookupModalMetadata } from './modal-metadata.js';

export const lookupTitle = 'Look up barcodes';

/** Actions that change a card in a message, so a modal does not offer them. */
const inMessagesOnly: ReadonlySet<string> = new Set(['lookup.change', 'lookup.add', 'lookup.walk_up', 'lookup.undo']);

const isShare = (actionId: string) => /\.share(\.agreed)?$/.test(actionId);

export function answerView({ blocks }: Message, metadata: LookupModalMetadata): ModalView {
  const isUsable = ({ action_id: id = '' }: { readonly action_id?: string }) =>
    !inMessagesOnly.has(id) && (metadata.place !== undefined || !isShare(id));
  const shownBlocks = blocks.flatMap((block): Block[] => {
    if (block.type !== 'actions') {
      return [block];
    }
    const elements = block.elements.filter(isUsable);
    return elements.length > 0 ? [{ ...block, elements }] : [];
  });
  const newLookup = button('New lookup', 'lookup.form');
  const last = shownBlocks.at(-1);
  const allBlocks =
    last?.type === 'actions'
      ? [...shownBlocks.slice(0, -1), { ...last, elements: [...last.elements, newLookup] }]
      : [...shownBlocks, actions([newLookup])];
  return modalView(lookupTitle, allBlocks, {
    callback_id: 'lookup.answer',
    private_metadata: encode(lookupModalMetadata, metadata),
  });
}
