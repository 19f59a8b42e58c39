/** The parts of a GS1 barcode on a card: the item, its batch, when it expires. Empty for other barcodes. Pure. */
import { type Gs1Field, gs1Fields, type Lookup } from '../../../lookup/index.js';
import { type Block, context } from '../../block-kit/elements.js';
import { barcodeElement, bold, type LinePart, richText } from '../../block-kit/text.js';

/** The most parts shown: more than a label on a box has. */
const mostFields = 10;

type ShownLookup = Pick<Lookup, 'value' | 'askedAt' | 'symbology'>;

/** A reader's prefix of a barcode is evidence of GS1, and not part of the barcode. */
const fieldsOf = ({ value, askedAt, symbology = '' }: ShownLookup) => gs1Fields(`${symbology}${value}`, askedAt);

export function gs1Blocks(lookup: ShownLookup): Block[] {
  const fields = fieldsOf(lookup);
  if (fields.length === 0) {
    return [];
  }
  const fieldsLeft = fields.length - mostFields;
  const shownFields = fields.slice(0, mostFields);
  const unended = shownFields.find((field) => field.or);
  return [
    richText(
      ...shownFields.map((field) => [...parts(field), ...otherwise(field)]),
      ...(fieldsLeft > 0 ? [`and ${fieldsLeft} more`] : []),
    ),
    ...(unended ? [context(unendedHint(unended.label))] : []),
  ];
}

function parts({ label, text, isExact }: Gs1Field): LinePart[] {
  return [bold(`${label} `), isExact ? barcodeElement(text) : text];
}

/** The other reading: `or A1 · Expires Dec 31, 2026`; a barcode may have two, and neither is certain. */
function otherwise({ or: [field, ...after] = [] }: Gs1Field): LinePart[] {
  return field ? [', or ', ...parts(field).slice(1), ...after.flatMap((each) => [' · ', ...parts(each)])] : [];
}

function unendedHint(label: string): string {
  return `${label} may include the fields after it, because this barcode was entered without separators. If it contains any, type each one as \\x1d. The account’s lists leave them out.`;
}

/** Whether a part has another reading: the card then says how to type separators. */
export function explainsSeparators(lookup: ShownLookup): boolean {
  return fieldsOf(lookup)
    .slice(0, mostFields)
    .some((field) => field.or);
}
