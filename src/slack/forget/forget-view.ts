/** The confirmation of `/scandesk forget`, and its outcome. Pure. */
import { z } from 'zod';
import { countOf, listOf, plural } from '../../english.js';
import { context, type ModalView, modalView } from '../block-kit/elements.js';
import { barcodeElement, bulletList, type LinePart, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import type { ForgottenCounts, KeptCounts } from './forget-barcode.js';

export const forgetTitle = 'Forget a barcode';

export const forgetMetadata = z.object({ ...origin, value: z.string() });

export const forgetForm = createForm(
  'forget',
  { field: 'forget.field', rerender: 'forget.field' },
  {
    counts: fieldsOf<KeptCounts>()(kinds.checkboxes([['keep', 'Keep counting it', 'If it was used, it stays used.']]), {
      label: 'Validation',
      hint: 'Clear this to delete its count too. Then a used ticket could be admitted again.',
      optional: true,
      from: (): readonly 'keep'[] => ['keep'],
    }),
  },
);

export function confirmForgetView(
  { value, channel }: { readonly value: string; readonly channel: string | undefined },
  counts: KeptCounts,
): ModalView {
  return modalView(
    forgetTitle,
    [
      richText(['Scandesk will forget ', barcodeElement(value), ' and delete:']),
      bulletList([...countTexts(counts), ...alwaysDeletedTexts]),
      ...forgetForm.draw(forgetForm.draft(counts), 'counts'),
      context(
        'The account doesn’t change: what it has of this barcode is copied again later. Delete it there first to prevent that. Messages in Slack stay, but alerts that are still open stop showing it. This can’t be undone.',
      ),
    ],
    {
      callback_id: 'forget.confirm',
      submit: 'Forget',
      private_metadata: encode(forgetMetadata, { value, channel }),
    },
  );
}

const alwaysDeletedTexts = [
  'The copy of what the account has of it',
  'Its name in recent lookups and in the audit log',
  'Files of roll calls and of what is out',
] as const;

function countTexts({ scans, posts, cards, alerts }: KeptCounts): string[] {
  return [
    countOf(scans, 'scan received by relays', 'scans received by relays'),
    ...(posts > 0 ? [`${countOf(posts, 'post')} of ${scans === 1 ? 'it' : 'them'} not delivered yet`] : []),
    ...(cards > 0
      ? [countOf(cards, 'stored card, result or saved search', 'stored cards, results and saved searches')]
      : []),
    ...(alerts > 0 ? [countOf(alerts, 'watch or mute', 'watches and mutes')] : []),
  ];
}

/** What was deleted, and what stays, as lines. */
export function forgottenLines(
  { scans, posts, cards, copied, alerts, entries }: ForgottenCounts,
  { keepCounts }: { readonly keepCounts: boolean },
): readonly [string, readonly LinePart[]] {
  const deletedTexts = [
    countOf(scans, 'scan'),
    ...(posts > 0 ? [countOf(posts, 'undelivered post')] : []),
    ...(copied > 0 ? [countOf(copied, 'copied record')] : []),
    ...(cards > 0 ? [countOf(cards, 'stored card or saved search', 'stored cards and saved searches')] : []),
    ...(alerts > 0 ? [countOf(alerts, 'watch or mute', 'watches and mutes')] : []),
  ];
  const redactedTexts =
    entries > 0
      ? ` ${countOf(entries, 'audit entry', 'audit entries')} no longer ${plural(entries, 'names', 'name')} it.`
      : '';
  return [
    `Deleted: ${listOf(deletedTexts)}.`,
    [
      `${redactedTexts.trim()}${redactedTexts === '' ? '' : ' '}${
        keepCounts ? 'Its count stays, so a used ticket stays used.' : 'Its count is deleted too.'
      } The account and messages in Slack didn’t change, except alerts that are still open.`,
    ],
  ];
}
