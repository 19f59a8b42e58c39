/** `/scandesk out [TEXT]`: what is lent, for the person alone; and the buttons below it. */
import type { Message } from '../block-kit/elements.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { action, type Listener } from '../bolt/routing/listeners.js';
import { outData, outMessage } from './out-message.js';
import { isLentList, lentThings } from './things.js';

export const outCommand: Subcommand = {
  name: 'out',
  usage: 'out [TEXT]',
  description: 'Show what is lent, to whom and until when: overdue first',
  role: 'everyone',
  run: async (context) => context.respond(await outPage(context, { text: unquoted(context.text), page: 0 })),
};

const unquoted = (text: string) => text.trim().replace(/^["“”]|["“”]$/g, '');

type Page = Parameters<typeof outMessage>[1];

async function outPage({ deps, actor, client }: Omit<BaseContext, 'person'>, page: Page): Promise<Message> {
  const [lists, role] = await Promise.all([
    deps.places.lists(actor.owner),
    deps.permissions.highestRole(client, actor),
  ]);
  const { owner, userId } = actor;
  const things = await lentThings(deps, { owner, userId, role }, { text: page.text, lists });
  const facts = { things, hasList: lists.some(isLentList), mayManage: role !== 'everyone' };
  return outMessage(facts, page);
}

const turned = action(['places.out.back', 'places.out.more'], {
  role: 'everyone',
  data: outData,
  async run(context) {
    await context.respond(await outPage(context, context.data), { replace: true });
  },
});

export const outActions: readonly Listener[] = [turned];
