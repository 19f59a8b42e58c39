/** An answer to a typed text in a modal: opened at once as loading, or in place of what the modal shows. */
import type { ModalView } from '../../block-kit/elements.js';
import type { Modal } from '../../bolt/routing/modal.js';
import { refuseTyped } from '../../bolt/routing/typed-text.js';
import { answerText } from '../answer-barcodes.js';
import { parseBarcodes } from '../parse-barcodes.js';
import type { LookupContext } from '../read-barcode.js';
import { answerView, lookupTitle } from './answer-view.js';
import type { LookupModalMetadata } from './modal-metadata.js';

export async function lookUpInModal(
  context: LookupContext & { readonly modal: Modal },
  text: string,
  metadata: LookupModalMetadata = {},
): Promise<void> {
  await context.modal.fill(lookupTitle, () => answerTo(context, text, metadata));
}

export async function answerTo(
  context: LookupContext,
  text: string,
  metadata: LookupModalMetadata,
): Promise<ModalView> {
  await refuseTyped(context, text);
  return answerView(await answerText(context, parseBarcodes(text)), metadata);
}
