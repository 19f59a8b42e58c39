/** The members feature: it links users of the account to Slack members. */
import type { z } from 'zod';
import { ownerNames, unnamed } from '../../codereadr/names.js';
import { linkMember, type Member } from '../../workspaces/members.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { record } from '../bolt/audit.js';
import { readPerson } from '../bolt/people/person-names.js';
import { savingView } from '../bolt/problem/loading.js';
import type { BaseContext, ViewContext } from '../bolt/routing/context.js';
import type { Feature } from '../bolt/routing/feature.js';
import { type Listener, modal } from '../bolt/routing/listeners.js';
import { linkedMembers } from '../connection/linked-members.js';
import { formStateIn } from '../forms/view-state.js';
import { memberForm, memberMetadata, memberTitle, memberView } from './member-form.js';

export { memberTitle } from './member-form.js';

type Metadata = z.output<typeof memberMetadata>;

/** Draws the list that the form was opened from, in the form's place. `carried`: the list's encoded metadata. */
type DrawList = (context: ViewContext, outcome: { readonly notice: ViewNotice }, carried: string) => Promise<ModalView>;

export function members(listChanged: DrawList): Feature {
  return { listeners: [memberSubmitted(listChanged)] };
}

export async function memberModal(
  { deps, actor }: Pick<BaseContext, 'deps' | 'actor'>,
  { user, after }: Pick<Metadata, 'user' | 'after'>,
  notice: ViewNotice = {},
): Promise<ModalView> {
  const [linked, nameOf] = await Promise.all([
    linkedMembers(deps, actor.owner),
    ownerNames(deps, actor.owner, (names) => names.findNames(['users'])),
  ]);
  return memberView({
    name: nameOf('user', user) ?? unnamed('user', user),
    member: linked.get(user),
    metadata: { channel: actor.channelId, user, after },
    ...notice,
  });
}

const memberSubmitted = (listChanged: DrawList): Listener =>
  modal('member.link', {
    role: 'manager',
    metadata: memberMetadata,

    fields({ view }) {
      const { member = [] } = memberForm.read(formStateIn(view), {});
      return { show: savingView(memberTitle), input: member[0] };
    },

    async run(context, chosenId) {
      const { deps, actor, metadata } = context;
      const { user, after } = metadata;
      const member = chosenId === undefined ? undefined : await memberWithId(context, chosenId);
      if (chosenId !== undefined && !member) {
        const problem = 'That isn’t a person who uses this workspace. Choose somebody else.';
        await context.modal.show(await memberModal(context, metadata, { problem }));
        return;
      }
      const memberBefore = await linkMember(deps, actor.owner, user, member);
      const people = (one: Member | undefined) => (one ? { users: [one.id] } : null);
      const detail = { user_id: user, before: people(memberBefore), now: people(member) };
      await record(context, { what: 'users/member', detail });
      const notice = { done: member ? `Linked to ${member.name}.` : 'Not linked to a Slack member.' };
      const view =
        after === undefined ? memberModal(context, metadata, notice) : listChanged(context, { notice }, after);
      await context.modal.showOutcome(await view);
    },
  });

/** The Slack member with an id; undefined for an app, and for somebody who left. */
async function memberWithId({ client }: Pick<BaseContext, 'client'>, id: string): Promise<Member | undefined> {
  const person = await readPerson(client, id);
  return person.isActive ? { id: person.id, name: person.name } : undefined;
}
