/** The form in which an admin names who else may change settings. Pure. */

import { type Block, context, type ModalView, modalView, option, plain } from '../../block-kit/elements.js';
import { bold, person, richText, textElement } from '../../block-kit/text.js';
import { encode, originMetadata } from '../../bolt/metadata.js';
import type { Ineligible } from '../../bolt/people/permissions.js';

export interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

export function accessForm(now: {
  readonly users: readonly string[];
  readonly groups: readonly NamedGroup[];
  /** False where the workspace has no user groups, or its plan has none. */
  readonly groupsOffered: boolean;
  readonly channel?: string | undefined;
  /** Named people who cannot be given rights. */
  readonly ineligible?: readonly Ineligible[];
}): ModalView {
  const blocks: Block[] = [
    richText([
      textElement(
        'Workspace admins and owners can always connect an account, set up relays and change settings. Choose who else can. Every full member can look up barcodes; guests can’t.',
      ),
    ]),
    ...ineligibleBlocks(now.ineligible ?? []),
    {
      type: 'input',
      block_id: 'users',
      optional: true,
      label: plain('People with access'),
      element: {
        type: 'multi_users_select',
        action_id: 'access.users',
        placeholder: plain('Select people'),
        ...(now.users.length > 0 ? { initial_users: [...now.users] } : {}),
      },
    },
    now.groupsOffered
      ? {
          type: 'input',
          block_id: 'groups',
          optional: true,
          label: plain('User groups with access'),
          hint: plain('People who join a group later get access too.'),
          element: {
            type: 'multi_external_select',
            action_id: 'access.groups',
            min_query_length: 0,
            placeholder: plain('Select user groups'),
            ...(now.groups.length > 0 ? { initial_options: now.groups.map(({ id, name }) => option(name, id)) } : {}),
          },
        }
      : context('This workspace has no user groups.'),
  ];
  return modalView('Manage access', blocks, {
    callback_id: 'access',
    submit: 'Save',
    private_metadata: encode(originMetadata, { channel: now.channel }),
  });
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
  const left = ineligible.length - mostIneligible;
  return [
    richText(
      [
        { type: 'emoji', name: 'warning' },
        textElement(' '),
        bold('Not saved. Only full members can have access. Remove these people and save again.'),
      ],
      ...ineligible
        .slice(0, mostIneligible)
        .map(({ id, role }) => [person(id), textElement(` ${ineligibleText[role]}.`)]),
      ...(left > 0 ? [[textElement(`And ${left} more.`)]] : []),
    ),
  ];
}
