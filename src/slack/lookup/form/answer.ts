/** The answer to a typed text in a modal. */
import type { ModalView } from '../../block-kit/elements.js';
import { refuseTyped } from '../../bolt/routing/typed-text.js';
import { answerText } from '../answer-barcodes.js';
import { parseBarcodes } from '../parse-barcodes.js';
import type { LookupContext } from '../read-barcode.js';
import { answerView } from './answer-view.js';
import type { LookupModalMetadata } from './modal-metadata.js';

export async function answerTo(
  context: LookupContext,
  text: string,
  metadata: LookupModalMetadata,
): Promise<ModalView> {
  await refuseTyped(context, text);
  return answerView(await answerText(context, parseBarcodes(text)), metadata);
}
