/** The form in which an admin names who else may change settings. Pure. */
import { type Block, option, plainContext } from '../../block-kit/elements.js';
import { person, richText } from '../../block-kit/text.js';
import type { Ineligible } from '../../bolt/people/permissions.js';
import { refusedFor } from '../../bolt/scopes.js';
import { createForm, type DraftOf, fieldsOf } from '../../forms/form.js';
import * as kinds from '../../forms/kinds.js';
import { FormProblem } from '../../forms/settings-form.js';

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

/** People were entered who cannot have access; the form names them. */
export class IneligiblePeople extends FormProblem {
  constructor(readonly people: readonly Ineligible[]) {
    super('Not saved. Only full members can have access. Remove these people and save again.');
  }
}

export function accessBlocks(
  draft: DraftOf<typeof accessFields.fields>,
  /** `notListed`: why no user groups are offered. */
  { notListed, problem }: { readonly notListed: NotListed | undefined; readonly problem?: FormProblem | undefined },
): Block[] {
  return [
    ...(problem instanceof IneligiblePeople ? [peopleBlock(problem.people)] : []),
    richText(
      'Workspace admins and owners can always connect an account, set up relays and change settings. Choose who else can. Every full member can look up barcodes; guests can’t.',
    ),
    ...accessFields.draw(draft, 'users'),
    ...(notListed ? [noGroupsLine(notListed)] : accessFields.draw(draft, 'groups')),
  ];
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

function peopleBlock(people: readonly Ineligible[]): Block {
  const peopleLeft = people.length - mostIneligible;
  return richText(
    ...people.slice(0, mostIneligible).map(({ id, role }) => [person(id), ` ${ineligibleText[role]}.`]),
    ...(peopleLeft > 0 ? [`And ${peopleLeft} more.`] : []),
  );
}
