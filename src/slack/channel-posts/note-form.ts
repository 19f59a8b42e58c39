/** The modal for a note on an acknowledgement. Pure. */
import type { DeliveredPost } from '../../relay/index.js';
import { type Block, context, type ModalView, modalView } from '../block-kit/elements.js';
import { barcodeElement, momentAfter, person, richText } from '../block-kit/text.js';
import { encode } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import type { FormState } from '../forms/view-state.js';
import { postFormMetadata } from './blocks/post-actions.js';

export const acknowledgeTitle = 'Acknowledge';
export const noteTitle = 'Note';

export const longestNote = 300;

const field = fieldsOf<{ readonly note: string }>();

const noteForm = createForm(
  'post.note',
  { field: 'post.note.text', rerender: 'post.note.text' },
  {
    text: field(kinds.text({ max: longestNote, focus: true, placeholder: 'On my way' }), {
      label: 'Note',
      hint: 'Shown on the post, for everyone in the channel.',
      optional: true,
      path: 'note',
    }),
  },
);

export function readNote(state: FormState): string {
  return (noteForm.read(state, {}).text ?? '').trim();
}

/** The form for a note. Where another person acknowledged the post, it says who instead. */
export function noteView({ key, channel, scan, acknowledged }: DeliveredPost, userId: string): ModalView {
  const barcodeBlocks: Block[] = scan ? [richText([barcodeElement(scan.tid)])] : [];
  if (acknowledged && acknowledged.by !== userId) {
    return modalView(noteTitle, [
      ...barcodeBlocks,
      richText([
        person(acknowledged.by),
        ' acknowledged it',
        momentAfter(', ', acknowledged.at),
        '. Only they can add a note. To add something, reply in the thread.',
      ]),
    ]);
  }
  return modalView(
    acknowledged ? noteTitle : acknowledgeTitle,
    [
      ...barcodeBlocks,
      ...noteForm.draw(noteForm.draft({ note: acknowledged?.note ?? '' }), 'text'),
      ...(acknowledged ? [] : [context('Shows everyone in the channel that you are looking into it.')]),
    ],
    {
      callback_id: 'post.note',
      submit: acknowledged ? 'Save' : 'Acknowledge',
      private_metadata: encode(postFormMetadata, { channel, post: key }),
    },
  );
}
