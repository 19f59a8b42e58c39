/** The state of a form's inputs as Slack sends it, by block name. Nothing is trimmed; what cannot be read is empty. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { blockNamed } from '../block-kit/block-names.js';
import { type Block, type Option, unavailable } from '../block-kit/elements.js';

/** A file in a file input, as Slack describes it. */
export interface FormFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Download URL; needs the app's token. */
  readonly url: string;
}

export interface FormState {
  has(name: string): boolean;
  /** The entered text, also of a date, time or number; '' if nothing was entered. */
  text(name: string): string;
  choice(name: string): string | undefined;
  /** The chosen options with their labels, to draw them again. */
  options(name: string): readonly Option[];
  choices(name: string): readonly string[];
  ticked(name: string): boolean;
  users(name: string): readonly string[];
  channel(name: string): string | undefined;
  file(name: string): FormFile | undefined;
}

/** Error messages under the inputs, by block name. */
export type Errors = Record<string, string>;

const plainText = z.object({ type: z.literal('plain_text'), text: z.string(), emoji: z.boolean().optional() });
const chosenOption = z.object({ text: plainText, value: z.string(), description: plainText.optional() });

const slackFile = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string().default('application/octet-stream'),
  size: z.number().default(0),
  url_private: z.string().default(''),
});

type StateValues = ViewOutput['state']['values'];

/** The state that Slack gives to inputs as they are drawn, until something else is entered in them. */
function initialState(blocks: readonly Block[]): StateValues {
  const inputs = blocks.flatMap((block) => {
    if (block.type !== 'input') {
      return [];
    }
    const { type, action_id: action = '', ...props } = block.element as { type: string; action_id?: string };
    const contents = Object.entries(props)
      .filter(([prop]) => prop.startsWith('initial_'))
      .map(([prop, content]) => [prop === 'initial_value' ? 'value' : prop.replace('initial_', 'selected_'), content]);
    return [[block.block_id ?? '', { [action]: { type, ...Object.fromEntries(contents) } }]];
  });
  return Object.fromEntries(inputs);
}

/** The state once these blocks are drawn: an input that Slack has no state of yet has its initial value. */
export function drawnState({ state }: Pick<ViewOutput, 'state'>, blocks: readonly Block[]): FormState {
  return formStateIn({ state: { values: { ...initialState(blocks), ...state.values } } });
}

export function formStateIn({ state }: Pick<ViewOutput, 'state'>): FormState {
  const { values } = state;
  const stateOf = (name: string) => Object.values(values[blockNamed(Object.keys(values), name) ?? ''] ?? {})[0];
  const options = (name: string): readonly Option[] => {
    const element = stateOf(name);
    const selectedOptions = element?.selected_options ?? (element?.selected_option ? [element.selected_option] : []);
    const parsed = z.array(chosenOption).safeParse(selectedOptions);
    return parsed.success ? parsed.data.filter(({ value }) => value !== unavailable) : [];
  };
  const choices = (name: string) => options(name).map(({ value = '' }) => value);
  return {
    has: (name) => stateOf(name) !== undefined,
    text: (name) => stateOf(name)?.value ?? stateOf(name)?.selected_date ?? stateOf(name)?.selected_time ?? '',
    choice: (name) => choices(name)[0],
    options,
    choices,
    ticked: (name) => choices(name).length > 0,
    users(name) {
      const element = stateOf(name);
      return element?.selected_users ?? (element?.selected_user ? [element.selected_user] : []);
    },
    channel: (name) => stateOf(name)?.selected_conversation ?? undefined,
    file(name) {
      const parsed = z.array(slackFile).safeParse((stateOf(name) as { files?: unknown } | undefined)?.files ?? []);
      const [file] = parsed.success ? parsed.data : [];
      return file && { id: file.id, name: file.name, type: file.mimetype, size: file.size, url: file.url_private };
    },
  };
}
