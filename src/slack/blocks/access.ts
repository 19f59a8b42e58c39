/**
 * Owns the window in which an admin names who else may change things. Pure.
 */
import { actionIds, blockIds, callbackIds, originNotes } from '../ids.js';
import { type Block, context, type ModalView, modal, option, plain } from './kit.js';
import { richText, textElement } from './text.js';

export interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

export function accessForm(now: {
  readonly users: readonly string[];
  readonly groups: readonly NamedGroup[];
  /** False where the workspace has no user groups, or its plan knows none. */
  readonly groupsOffered: boolean;
  readonly channel?: string | undefined;
}): ModalView {
  const blocks: Block[] = [
    richText([
      textElement(
        'Workspace admins and owners may always connect an account, set up relays and change things. Name who else may. Every full member can look barcodes up; guests cannot.',
      ),
    ]),
    {
      type: 'input',
      block_id: blockIds.users,
      optional: true,
      label: plain('People'),
      element: {
        type: 'multi_users_select',
        action_id: actionIds.accessUsers,
        placeholder: plain('Nobody yet'),
        ...(now.users.length > 0 ? { initial_users: [...now.users] } : {}),
      },
    },
    now.groupsOffered
      ? {
          type: 'input',
          block_id: blockIds.groups,
          optional: true,
          label: plain('User groups'),
          hint: plain('Whoever joins the group later may, too.'),
          element: {
            type: 'multi_external_select',
            action_id: actionIds.accessGroups,
            min_query_length: 0,
            placeholder: plain('None yet'),
            ...(now.groups.length > 0 ? { initial_options: now.groups.map(({ id, name }) => option(name, id)) } : {}),
          },
        }
      : context('This workspace has no user groups to name.'),
  ];
  return modal('Who may change things', blocks, {
    callback_id: callbackIds.access,
    submit: 'Save',
    private_metadata: originNotes.write({ channel: now.channel }),
  });
}
