/** The form of a list with all of its fields, as after *More*. */
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { eventually, type Person } from '../test-app.js';

export async function wholeListForm(person: Person): Promise<ShownView> {
  const form = await person.seesForm('places.form');
  const isWhole = ({ view }: ShownView) => !JSON.stringify(view.blocks).includes('"places.more"');
  if (!isWhole(form)) {
    await person.click(form, 'places.more');
  }
  return eventually(async () => {
    const shown = await person.window();
    return shown && isWhole(shown) ? shown : undefined;
  }, 'the whole form of a list');
}

/** Opens the form of a new list, which stands in the answer itself while a workspace has no list. */
export async function openNewList(person: Person, channel?: string): Promise<void> {
  const answer = await person.command('/scandesk inside', channel);
  if (JSON.stringify(answer.blocks).includes('"places.new"')) {
    await person.clickMessage(answer, 'places.new');
    return;
  }
  await person.clickMessage(answer, 'places.lists');
  await person.click(await person.seesWindow('Lists'), 'places.new');
}
