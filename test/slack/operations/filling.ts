/** People who fill in operation forms by the names of their fields in the catalogue, whatever kind of input each is. */
import { z } from 'zod';
import type { ShownView, SubmitResult } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, type Person, type TestApp } from '../test-app.js';

const element = z.looseObject({
  type: z.string(),
  action_id: z.string(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
});
const blocks = z.array(
  z.looseObject({
    type: z.string(),
    block_id: z.string(),
    element: element.optional(),
    optional: z.boolean().optional(),
  }),
);

export type Values = Readonly<Record<string, unknown>>;
type Entries = Record<string, Record<string, Record<string, unknown>>>;

/** Connects the account that everybody uses from then on. */
export async function connectAccount(testApp: TestApp): Promise<void> {
  const ada = testApp.person('U0ADA');
  await ada.say('/scandesk connect');
  const form = await ada.seesWindow('Connect account');
  await ada.submit(form, { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } });
  await ada.close(await ada.seesForm('connect.databases'));
}

export function inputsOf(view: ShownView) {
  return blocks.parse(view.view.blocks).filter((block) => block.type === 'input');
}

/**
 * Entries by block (`v.` and the param's name, unless it contains a dot): texts, `true`, ids, lists of ids, files by
 * id.
 */
export async function entriesFor(person: Person, view: ShownView, values: Values): Promise<Entries> {
  const entries: Entries = {};
  for (const [name, value] of Object.entries(values)) {
    const id = name.includes('.') ? name : `v.${name}`;
    const block = inputsOf(view).find((each) => each.block_id === id);
    if (!block?.element) {
      throw new Error(`no input ${id} among ${inputsOf(view).map((each) => each.block_id)}`);
    }
    entries[id] = { [block.element.action_id]: await entryFor(person, view, id, block.element, value) };
  }
  return entries;
}

async function entryFor(
  person: Person,
  view: ShownView,
  blockId: string,
  { type, action_id: actionId, options }: z.output<typeof element>,
  value: unknown,
): Promise<Record<string, unknown>> {
  const values = [value].flat();
  const picked = async () =>
    Promise.all(
      values.map(async (each) => {
        const found =
          options?.find((option) => option.value === each) ??
          (type.includes('external')
            ? (await person.optionsIn(view, blockId, actionId, String(each))).find((option) => option.value === each)
            : undefined);
        if (!found) throw new Error(`${blockId} does not offer ${String(each)}`);
        return found;
      }),
    );
  switch (type) {
    case 'datepicker':
      return { selected_date: value };
    case 'timepicker':
      return { selected_time: value };
    case 'checkboxes':
      return { selected_options: value === true ? (options ?? []) : [] };
    case 'file_input':
      return { files: values };
    case 'radio_buttons':
    case 'static_select':
    case 'external_select':
      return { selected_option: (await picked())[0] };
    case 'multi_static_select':
    case 'multi_external_select':
      return { selected_options: await picked() };
    default:
      return { value };
  }
}

export async function submitForm(person: Person, view: ShownView, values: Values): Promise<SubmitResult> {
  const result = await person.submit(view, await entriesFor(person, view, values));
  if (result.error !== undefined && result.error !== 'invalid_input') {
    throw new Error(JSON.stringify(result));
  }
  return result;
}

/** The modal once it contains these words. */
export function seesWords(person: Person, words: string | RegExp): Promise<ShownView> {
  return eventually(
    async () => {
      const view = await person.window();
      const text = view ? read(view.view.blocks) : '';
      return view && (typeof words === 'string' ? text.includes(words) : words.test(text)) ? view : undefined;
    },
    `a window that says ${String(words)}`,
  );
}

export async function closeAll(person: Person): Promise<void> {
  for (let view = await person.window(); view; view = await person.window()) {
    await person.close(view);
  }
}

/** Uploads a file to the workspace as a person does. */
export async function giveFile(
  testApp: TestApp,
  person: Person,
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const form = new FormData();
  form.append('as', person.id);
  form.append('file', new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]), name);
  const response = await fetch(`${testApp.slackUrl}/sandbox/upload`, { method: 'POST', body: form });
  return z.object({ file: z.object({ id: z.string() }) }).parse(await response.json()).file.id;
}

/** The audit log of the first workspace, oldest first. */
export async function auditOf(testApp: TestApp) {
  const store = await testApp.openStore();
  try {
    const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
    return (await store.audit.list(owner, { limit: 500 })).toReversed();
  } finally {
    await store.close();
  }
}
