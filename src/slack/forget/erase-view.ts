/** The two confirmations of *Erase data*, and the messages before and after the erasure. Pure. */
import { z } from 'zod';
import { countOf } from '../../english.js';
import { context, type Message, type ModalView, message, modalView } from '../block-kit/elements.js';
import { bold, bulletList, code, momentAfter, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { noticeView } from '../bolt/problem/notice.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';

export const eraseTitle = 'Erase data';

/** How many records there are of each kind; scans and posts are counted up to `mostCounted`. */
export const dataCounts = z.object({
  scans: z.number(),
  posts: z.number(),
  cards: z.number(),
  alerts: z.number(),
  copied: z.number(),
});

export type DataCounts = z.output<typeof dataCounts>;

export const mostCounted = 10_000;

export const eraseMetadata = z.object({ ...origin, counts: dataCounts });

/** The word that an admin types to confirm. */
export const eraseWord = 'ERASE';

export const eraseForm = createForm(
  'erase',
  { field: 'erase.field', rerender: 'erase.field' },
  {
    word: fieldsOf<undefined>()(kinds.text({ max: 20, focus: true }), {
      label: `Type ${eraseWord} to confirm`,
    }),
  },
);

/** The first form: names the data to erase and the data that stays. */
export function eraseView(counts: DataCounts, channel: string | undefined): ModalView {
  return modalView(
    eraseTitle,
    [
      richText([bold('This erases for the whole workspace')]),
      bulletList([
        `${countUpTo(counts.scans, 'scan')} received by relays`,
        ...(counts.posts > 0
          ? [`${countUpTo(counts.posts, 'post')} not delivered yet. They will never be posted.`]
          : []),
        'How often each barcode was scanned. Used tickets could be admitted again.',
        counts.copied > 0
          ? `The copy of your account: ${countUpTo(counts.copied, 'value or scan', 'values and scans')}`
          : 'The copy of your account',
        `${countUpTo(counts.cards, 'stored card, image, result or saved search', 'stored cards, images, results and saved searches')}, and recent lookups`,
        ...(counts.alerts > 0 ? [countUpTo(counts.alerts, 'watch or mute', 'watches and mutes')] : []),
      ]),
      richText([bold('This stays')]),
      bulletList([
        'Relays with their webhook URLs and settings',
        'The connection, access and the audit log',
        'Alerts that are open now, without barcodes, until they are over',
        'Other messages in Slack, and everything in your account',
      ]),
      context('While the account is connected, its copy fills again. To prevent that, disconnect the account first.'),
    ],
    {
      callback_id: 'erase',
      submit: 'Continue',
      private_metadata: encode(eraseMetadata, { counts, channel }),
    },
  );
}

/** The second form, which asks for a word to type. */
export function confirmEraseView({ counts, channel }: z.output<typeof eraseMetadata>): ModalView {
  return modalView(
    eraseTitle,
    [
      richText(
        [bold('Are you sure?')],
        `${[countUpTo(counts.scans, 'scan'), ...(counts.posts > 0 ? [countUpTo(counts.posts, 'undelivered post')] : [])].join(' and ')} and everything else on the list will be erased. This can’t be undone.`,
      ),
      ...eraseForm.draw(eraseForm.draft(), 'word'),
    ],
    {
      callback_id: 'erase.confirm',
      submit: 'Erase',
      private_metadata: encode(eraseMetadata, { counts, channel }),
    },
  );
}

const erasingText = 'The data is being erased.';
const laterText = 'Large amounts take a few minutes. You’ll get a message when it’s done.';

export function erasingView(since?: number): ModalView {
  return noticeView('Erasing data', erasingText, [
    ...(since === undefined ? [] : [momentAfter('Started ', since, '{date_short_pretty} at {time}'), '. ']),
    laterText,
  ]);
}

/** The message that the erasure has begun, where the view with this text could not be shown. */
export function erasingMessage(): Message {
  return message(erasingText, [richText([bold(erasingText)], laterText)]);
}

/** The message that the erasure is done, to the admin who requested it. */
export function erasedMessage(erasedAt: number): Message {
  const erasedText = 'The data of this workspace is erased.';
  return message(erasedText, [
    richText(
      [bold(erasedText)],
      [
        momentAfter('Everything that Scandesk kept until ', erasedAt, '{date_short_pretty} at {time}'),
        ' is gone. Relays, settings and the audit log stayed. ',
        code('/scandesk status'),
        ' shows the connection.',
      ],
    ),
  ]);
}

function countUpTo(count: number, one: string, many?: string): string {
  return count >= mostCounted ? `At least ${countOf(mostCounted, one, many)}` : countOf(count, one, many);
}
