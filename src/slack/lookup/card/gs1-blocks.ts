/** The parts of a GS1 barcode on a card: what it is, its batch, when it expires. Empty for other barcodes. Pure. */
import { gs1Fields, type Lookup } from '../../../lookup/index.js';
import type { Block } from '../../block-kit/elements.js';
import { barcodeElement, bold, richText, textElement } from '../../block-kit/text.js';

/** More than a label on a box has. */
const mostFields = 10;

export function gs1Blocks({ value, askedAt }: Pick<Lookup, 'value' | 'askedAt'>): Block[] {
  const fields = gs1Fields(value, askedAt);
  if (fields.length === 0) {
    return [];
  }
  const left = fields.length - mostFields;
  return [
    richText(
      ...fields
        .slice(0, mostFields)
        .map(({ label, text, isExact }) => [bold(`${label} `), isExact ? barcodeElement(text) : textElement(text)]),
      ...(left > 0 ? [[textElement(`and ${left} more`)]] : []),
    ),
  ];
}
