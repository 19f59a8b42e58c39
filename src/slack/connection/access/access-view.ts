/** The form in which an admin names who else may change settings. Pure. */
import { type Block, type ModalView, modalView, option, plainContext } from '../../block-kit/elements.js';
import { noticeBlocks } from '../../block-kit/notice.js';
import { bold, person, richText } from '../../block-kit/text.js';
import { encode, originMetadata } from '../../bolt/metadata.js';
import type { Ineligible } from '../../bolt/people/permissions.js';
import { refusedFor } from '../../bolt/scopes.js';
import { createForm, fieldsOf } from '../../forms/form.js';
import * as kinds from '../../forms/kinds.js';

export interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** `none`: the workspace or its plan has no user groups. `failed`: Slack did not list them. Else the missing scopes. */
export type NotListed = 'none' | 'failed' | { readonly missing: readonly string[] };

const field = fieldsOf<{ readonly users: readonly string[]; readonly groups: readonly NamedGroup[] }>();

export const accessFields = createForm(
  (name) => name,
  { field: 'access.users', rerender: 'access.users' },
  {
    users: field(kinds.users({ placeholder: 'Select people' }), {
      label: 'People with access',
      optional: true,
      path: 'users',
    }),
    groups: field(kinds.multiPicker({ action: 'access.groups', placeholder: 'Select user groups' }, {}), {
      label: 'User groups with access',
      hint: 'People who join a group later get access too.',
      optional: true,
      // The field can be left out: without it, the saved groups stay.
      collapsible: true,
      from: ({ groups }) => groups.map(({ id, name }) => option(name, id)),
    }),
  },
);

export function accessForm(formState: {
  readonly users: readonly string[];
  readonly groups: readonly NamedGroup[];
  /** Why no user groups are offered. */
  readonly notListed: NotListed | undefined;
  readonly channel?: string | undefined;
  /** The notice of the access that was just saved. */
  readonly done?: string | undefined;
  /** The entered people who cannot be given rights. */
  readonly ineligible?: readonly Ineligible[];
}): ModalView {
  const draft = accessFields.draft(formState);
  const blocks: Block[] = [
    ...noticeBlocks(formState),
    richText(
      'Workspace admins and owners can always connect an account, set up relays and change settings. Choose who else can. Every full member can look up barcodes; guests can’t.',
    ),
    ...ineligibleBlocks(formState.ineligible ?? []),
    ...accessFields.draw(draft, 'users'),
    ...(formState.notListed ? [noGroupsLine(formState.notListed)] : accessFields.draw(draft, 'groups')),
  ];
  return modalView('Manage access', blocks, {
    callback_id: 'access',
    submit: 'Save',
    close: formState.done === undefined ? 'Cancel' : 'Close',
    private_metadata: encode(originMetadata, { channel: formState.channel }),
  });
}

const notListedText = {
  none: 'This workspace has no user groups.',
  failed: 'Slack didn’t list the user groups. Those with access keep it. Open this form again to change them.',
};

function noGroupsLine(why: NotListed): Block {
  const text =
    typeof why === 'string' ? notListedText[why] : refusedFor('Scandesk can’t list user groups', why.missing);
  return plainContext(text);
}

const ineligibleText: Readonly<Record<Ineligible['role'], string>> = {
  guest: 'is a guest',
  external: 'isn’t a member of this workspace',
  bot: 'is an app',
  deactivated: 'is deactivated',
};

const mostIneligible = 10;

function ineligibleBlocks(ineligible: readonly Ineligible[]): Block[] {
  if (ineligible.length === 0) {
    return [];
  }
  const peopleLeft = ineligible.length - mostIneligible;
  return [
    richText(
      [
        { type: 'emoji', name: 'warning' },
        ' ',
        bold('Not saved. Only full members can have access. Remove these people and save again.'),
      ],
      ...ineligible.slice(0, mostIneligible).map(({ id, role }) => [person(id), ` ${ineligibleText[role]}.`]),
      ...(peopleLeft > 0 ? [`And ${peopleLeft} more.`] : []),
    ),
  ];
}
