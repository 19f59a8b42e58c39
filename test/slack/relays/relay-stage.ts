/** Shared fixtures of relay modal tests: a person with a connected account, a relay, and scans posted to it. */
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, type Person } from '../test-app.js';

export const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });

export const text = (view: ShownView) => read(view.view.blocks);

export async function connect(person: Person): Promise<void> {
  await person.say('/scandesk connect');
  await person.submit(await person.seesWindow('Connect account'), {
    key: { 'connect.key': { type: 'plain_text_input', value: accountKey } },
  });
  await person.close(await person.seesForm('connect.databases'));
}

export async function makeRelay(
  person: Person,
  { service = 'any', channel = 'C0GENERAL', notable = 'all' } = {},
): Promise<{ made: ShownView; url: string; id: string }> {
  await closeAll(person);
  await person.say('/scandesk relay');
  await person.click(await person.seesWindow('Relays'), 'relay.new');
  await person.submit(await person.seesWindow('New relay'), {
    'relay.service': { 'relay.service': { type: 'static_select', selected_option: option(service) } },
    'relay.channel': { 'relay.channel': { type: 'conversations_select', selected_conversation: channel } },
    'relay.notable': { 'relay.notable': { type: 'radio_buttons', selected_option: option(notable) } },
  });
  const made = await person.seesWindow('Relay created');
  const url = /"(http:\/\/[^"]+\/relay\/[^"]+)"/.exec(JSON.stringify(made.view.blocks))?.[1] ?? '';
  return { made, url, id: url.split('/').at(-2) ?? '' };
}

export async function closeAll(person: Person): Promise<void> {
  for (let view = await person.window(); view; view = await person.window()) {
    await person.close(view);
  }
}

/** Opens a relay's window from the list of relays. */
export async function openRelay(person: Person, id: string): Promise<ShownView> {
  await person.say('/scandesk relay');
  const relays = await person.seesWindow('Relays');
  const row = (relays.view.blocks as { block_id?: string }[]).find((block) =>
    JSON.stringify(block).includes(`\\"relay\\":\\"${id}\\"`),
  );
  await person.click(relays, 'relay.manage', undefined, row?.block_id);
  return person.seesWindow('Relay');
}

/** The top modal once it contains these words. */
export function reads(person: Person, words: string): Promise<ShownView> {
  return eventually(async () => {
    const view = await person.window();
    return view && text(view).includes(words) ? view : undefined;
  }, `a window that says “${words}”`);
}

/** The top modal once it differs from `before`. */
export async function redrawn(person: Person, before: ShownView): Promise<ShownView> {
  return eventually(async () => {
    const view = await person.window();
    return view && view.hash !== before.hash ? view : undefined;
  }, 'a form that was drawn again');
}

/** Chooses in a form and waits until it is redrawn. */
export async function choose(
  person: Person,
  block: string,
  chosen: Readonly<Record<string, unknown>>,
  action = 'relay.redraw',
): Promise<ShownView> {
  const view = (await person.window())!;
  await person.click(view, action, chosen, block);
  return redrawn(person, view);
}

export const radio = (value: string) => ({ type: 'radio_buttons', selected_option: option(value) });
export const select = (value: string) => ({ type: 'static_select', selected_option: option(value) });
export const ticked = (...values: string[]) => ({ type: 'checkboxes', selected_options: values.map(option) });
export const typed = (value: string) => ({ type: 'plain_text_input', value });
export const number = (value: string) => ({ type: 'number_input', value });

/** The values of a form's parts as they are submitted: by block, under the action that all parts share. */
export function parts(values: Readonly<Record<string, Readonly<Record<string, unknown>>>>, action = 'relay.field') {
  return Object.fromEntries(Object.entries(values).map(([block, value]) => [block, { [action]: value }]));
}

let second = 0;

/** Posts a scan as a device does; each has a different time. */
export async function scan(url: string, variables: Record<string, string>): Promise<string> {
  second += 1;
  const at = new Date(Date.now() - 1_000 + second).toISOString().slice(0, 19).replace('T', ' ');
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ udid: 'D-1', scanned_at_utc: at, ...variables }),
  });
  return response.text();
}
