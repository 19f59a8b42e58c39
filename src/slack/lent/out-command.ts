/** `/scandesk out [TEXT]`: lists what is lent, a page at a time, for the person alone. */
import { type Message, message } from '../block-kit/elements.js';
import { richText } from '../block-kit/text.js';
import { unquoted } from '../bolt/quotes.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { action, type Listener } from '../bolt/routing/listeners.js';
import { remindOf } from './loan-actions.js';
import { type OutFacts, outData, outMessage } from './out-message.js';
import { lentThings } from './things.js';

export const outCommand: Subcommand = {
  name: 'out',
  usage: 'out [TEXT]',
  description: 'Show what is lent, to whom and until when: overdue first',
  role: 'everyone',
  run: async (context) => context.respond(await outPage(context, { text: unquoted(context.text), page: 0 })),
};

type Context = Pick<BaseContext, 'deps' | 'actor' | 'client'>;

/**
 * The lent things that the person may see. `text`: part of a barcode, a name or a list's name.
 * @throws as `highestRole`
 */
export async function outFacts({ deps, actor, client }: Context, text = ''): Promise<OutFacts> {
  const role = await deps.permissions.highestRole(client, actor);
  const { owner, userId } = actor;
  const things = await lentThings(deps, { owner, userId, role }, text);
  const hasLists = things.lists.length > 0 || (await deps.places.lists(owner)).length > 0;
  return { ...things, mayManage: role !== 'everyone', hasLists };
}

async function outPage(context: Context, page: Parameters<typeof outMessage>[1]): Promise<Message> {
  return outMessage(await outFacts(context, page.text), page);
}

const turned = action(['places.out.back', 'places.out.more'], {
  role: 'everyone',
  data: outData,
  async run(context) {
    await context.respond(await outPage(context, context.data), { replace: true });
  },
});

const remindAll = action('places.out.remind', {
  role: 'manager',
  data: outData,
  async run(context) {
    const { things } = await outFacts(context, context.data.text);
    const overdue = things.filter(({ isOverdue }) => isOverdue);
    const lines = [];
    for (const list of new Set(overdue.map((thing) => thing.list))) {
      const places = overdue.filter((thing) => thing.list === list).map(({ place }) => place);
      lines.push(await remindOf(context, list, places));
    }
    const none = 'Nothing is overdue any more.';
    await context.postPrivately(message('Reminders', [richText(...(lines.length > 0 ? lines : [none]))]));
  },
});

export const outActions: readonly Listener[] = [turned, remindAll];
