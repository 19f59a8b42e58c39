/** The form that extends a loan, in its list's zone. Pure. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { context, type ModalView, modalView } from '../block-kit/elements.js';
import { barcodeElement, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';

export const extendTitle = 'Extend';

/** The form's metadata. `post`: the key of the first reminder's post. `zone`: IANA. */
export const extendMetadata = z.object({ ...origin, post: z.string(), zone: z.string() });

const field = fieldsOf<{ readonly date: string; readonly time: string }>();

export const extendForm = createForm(
  'loan',
  { field: 'loan.field', rerender: 'loan.field' },
  {
    date: field(kinds.date(), { label: 'Due back on', path: 'date' }),
    time: field(kinds.time(), { label: 'At', path: 'time' }),
  },
);

/** The form suggests the same time tomorrow. */
export function extendView(
  { value, now }: { readonly value: string; readonly now: number },
  metadata: z.output<typeof extendMetadata>,
): ModalView {
  const tomorrow = DateTime.fromMillis(now, { zone: metadata.zone }).plus({ days: 1 });
  const draft = extendForm.draft({ date: tomorrow.toFormat('yyyy-MM-dd'), time: tomorrow.toFormat('HH:mm') });
  return modalView(
    extendTitle,
    [
      richText([barcodeElement(value)]),
      ...extendForm.draw(draft, 'date', 'time'),
      context(`Time zone: ${metadata.zone.replaceAll('_', ' ')}. Its holder is reminded once it is due again.`),
    ],
    { callback_id: 'loan.extend', submit: 'Extend', private_metadata: encode(extendMetadata, metadata) },
  );
}
