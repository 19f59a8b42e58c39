/** The modal that links a user of the account to a Slack member. Pure. */
import { z } from 'zod';
import type { Member } from '../../workspaces/members.js';
import { context, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';

export const memberTitle = 'Link to Slack member';

/** The form's metadata. `user`: the user's id in the account. `after`: the metadata of the list that opened it. */
export const memberMetadata = z.object({ ...origin, user: z.string(), after: z.string().optional() });

const field = fieldsOf<{ readonly member: string | undefined }>();

export const memberForm = createForm(
  'member',
  { field: 'member.field', rerender: 'member.field' },
  {
    member: field(kinds.users({ max: 1, placeholder: 'Not linked' }), {
      label: 'Slack member',
      hint: 'Leave blank if this user is no Slack member.',
      optional: true,
      from: ({ member }) => (member === undefined ? [] : [member]),
    }),
  },
);

export interface MemberView extends ViewNotice {
  /** The user's name in the account. */
  readonly name: string;
  readonly member: Pick<Member, 'id'> | undefined;
  readonly metadata: z.output<typeof memberMetadata>;
}

export function memberView({ name, member, metadata, ...notice }: MemberView): ModalView {
  return modalView(
    memberTitle,
    [
      ...noticeBlocks(notice),
      richText(['User of the scanning account: ', bold(shortName(name))]),
      ...memberForm.draw(memberForm.draft({ member: member?.id }), 'member'),
      context(
        'Scans by this user then show the member’s name. People who watch a barcode are not @mentioned for their own scans.',
      ),
    ],
    { callback_id: 'member.link', submit: 'Save', private_metadata: encode(memberMetadata, metadata) },
  );
}
