/** The lookup form: an input for one or several barcodes, and the person's recent lookups below. Pure. */
import { type ModalView, modalView } from '../../block-kit/elements.js';
import { encode } from '../../bolt/metadata.js';
import { createForm, fieldsOf } from '../../forms/form.js';
import * as kinds from '../../forms/kinds.js';
import type { RecentLookup } from '../recent-lookups.js';
import { lookupTitle } from './answer-view.js';
import { type LookupModalMetadata, lookupModalMetadata } from './modal-metadata.js';
import { recentBlocks } from './recent-rows.js';

const field = fieldsOf<unknown>();

export const lookupForm = createForm(
  'lookup.form',
  { field: 'lookup.form.field', rerender: 'lookup.form.field' },
  {
    barcodes: field(kinds.text({ multiline: true, focus: true, missing: 'Enter a barcode.' }), {
      label: 'Barcodes',
      hint: 'One or several, separated by lines, commas or spaces. Put a barcode in quotes to keep every character.',
    }),
  },
);

export function lookupFormView(recent: readonly RecentLookup[], metadata: LookupModalMetadata): ModalView {
  const blocks = [...lookupForm.draw(lookupForm.draft(), 'barcodes'), ...recentBlocks(recent)];
  return modalView(lookupTitle, blocks, {
    callback_id: 'lookup.form',
    submit: 'Look up',
    private_metadata: encode(lookupModalMetadata, metadata),
  });
}
