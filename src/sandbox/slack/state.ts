/**
 * Owns the state of inputs: what view.state.values says before and after a person has chosen, and whether what was
 * chosen is something that the element offers.
 */
import { elementsOf } from './blocks/check.js';
import { SandboxRefusal } from './refusal.js';
import type { Block } from './world/records.js';

export type Loose = Readonly<Record<string, unknown>>;
export type StateEntry = Loose & { readonly type: string };
export type StateValues = Readonly<Record<string, Readonly<Record<string, StateEntry>>>>;
/** What came from outside: each entry is checked when it is taken in. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Option {
  readonly value: string;
  readonly [field: string]: unknown;
}

/** What choosing needs to know of the world around the element. */
export interface Surroundings {
  isPerson(id: string): boolean;
  /** Whether this person can see it, and what it is. */
  conversation(id: string): { is_private: boolean; is_im: boolean; is_ext_shared: boolean } | undefined;
  offered(blockId: string, actionId: string): readonly Option[];
  /** A file this person uploaded, as Slack describes it. */
  file(id: string): Loose | undefined;
}

interface Kind {
  /** The field that says what is chosen. */
  readonly field: string;
  /** Where the app says what is chosen at first. */
  readonly initial?: string;
  readonly empty: null | readonly [];
  readonly takes:
    | 'option'
    | 'offered'
    | 'person'
    | 'conversation'
    | 'channel'
    | 'date'
    | 'time'
    | 'moment'
    | 'text'
    | 'rich'
    | 'file';
}

const kinds: Readonly<Record<string, Kind>> = {
  static_select: { field: 'selected_option', initial: 'initial_option', empty: null, takes: 'option' },
  radio_buttons: { field: 'selected_option', initial: 'initial_option', empty: null, takes: 'option' },
  external_select: { field: 'selected_option', initial: 'initial_option', empty: null, takes: 'offered' },
  checkboxes: { field: 'selected_options', initial: 'initial_options', empty: [], takes: 'option' },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', empty: [], takes: 'option' },
  multi_external_select: { field: 'selected_options', initial: 'initial_options', empty: [], takes: 'offered' },
  users_select: { field: 'selected_user', initial: 'initial_user', empty: null, takes: 'person' },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', empty: [], takes: 'person' },
  conversations_select: {
    field: 'selected_conversation',
    initial: 'initial_conversation',
    empty: null,
    takes: 'conversation',
  },
  multi_conversations_select: {
    field: 'selected_conversations',
    initial: 'initial_conversations',
    empty: [],
    takes: 'conversation',
  },
  channels_select: { field: 'selected_channel', initial: 'initial_channel', empty: null, takes: 'channel' },
  multi_channels_select: { field: 'selected_channels', initial: 'initial_channels', empty: [], takes: 'channel' },
  datepicker: { field: 'selected_date', initial: 'initial_date', empty: null, takes: 'date' },
  timepicker: { field: 'selected_time', initial: 'initial_time', empty: null, takes: 'time' },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time', empty: null, takes: 'moment' },
  plain_text_input: { field: 'value', initial: 'initial_value', empty: null, takes: 'text' },
  email_text_input: { field: 'value', initial: 'initial_value', empty: null, takes: 'text' },
  url_text_input: { field: 'value', initial: 'initial_value', empty: null, takes: 'text' },
  number_input: { field: 'value', initial: 'initial_value', empty: null, takes: 'text' },
  rich_text_input: { field: 'rich_text_value', initial: 'initial_value', empty: null, takes: 'rich' },
  file_input: { field: 'files', empty: [], takes: 'file' },
};

export const isStateful = (element: Loose): boolean => kinds[String(element.type)] !== undefined;

/** What a filled-in element holds; null or an empty list for one left empty. */
export function chosenOf(entry: StateEntry): unknown {
  const kind = kinds[entry.type];
  return kind && entry[kind.field];
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The state before anybody touched anything; what `kept` says of the same block and action stays. */
export function stateOf(blocks: readonly Block[], kept: StateValues, channel?: string): StateValues {
  return mapState(blocks, (element, block) => {
    const before = kept[block.block_id]?.[String(element.action_id)];
    return before !== undefined && before.type === element.type ? before : initialEntry(element, channel);
  });
}

/** The state after `given`, each value checked against what its element offers. */
export function stateAfter(
  blocks: readonly Block[],
  before: StateValues,
  given: GivenValues,
  around: Surroundings,
): StateValues {
  for (const [blockId, byAction] of Object.entries(given)) {
    for (const actionId of Object.keys(byAction)) {
      if (!findElement(blocks, blockId, actionId)) {
        throw new SandboxRefusal(404, 'no_such_element', `no element ${actionId} in a block ${blockId}`);
      }
    }
  }
  return mapState(blocks, (element, block) => {
    const actionId = String(element.action_id);
    const value = given[block.block_id]?.[actionId];
    return value === undefined
      ? (before[block.block_id]?.[actionId] ?? initialEntry(element))
      : entryOf(element, block.block_id, value, around);
  });
}

export function findElement(
  blocks: readonly Block[],
  blockId: string,
  actionId: string,
): { block: Block; element: Loose } | undefined {
  for (const block of blocks) {
    if (block.block_id === blockId) {
      const element = elementsOf(block).find((one) => one.action_id === actionId);
      return element && { block, element };
    }
  }
  return undefined;
}

/** All options of a menu, in groups or not. */
export function optionsOf(element: Loose): readonly Option[] {
  const groups = element.option_groups as readonly { options: readonly Option[] }[] | undefined;
  return (element.options as readonly Option[] | undefined) ?? (groups ?? []).flatMap((group) => group.options);
}

/**
 * One element's entry for what a person chose.
 * @throws SandboxRefusal not_offered, too_many, bad_value
 */
export function entryOf(element: Loose, blockId: string, given: unknown, around: Surroundings): StateEntry {
  const type = String(element.type);
  const kind = kinds[type];
  if (!kind) {
    throw new SandboxRefusal(400, 'bad_value', `a ${type} holds no value`);
  }
  const value = given === null ? kind.empty : typeof given === 'object' ? (given as Loose)[kind.field] : undefined;
  if (value === undefined) {
    throw new SandboxRefusal(400, 'bad_value', `a ${type} is given by ${kind.field}`);
  }
  if (isEmpty(value)) {
    return { type, [kind.field]: kind.empty };
  }
  const one = (item: unknown): unknown => {
    const checked = check(kind.takes, item, element, blockId, around);
    if (checked === undefined) {
      throw new SandboxRefusal(400, 'not_offered', `${JSON.stringify(item)} is nothing that this ${type} offers`);
    }
    return checked;
  };
  if (Array.isArray(kind.empty)) {
    if (!Array.isArray(value)) {
      throw new SandboxRefusal(400, 'bad_value', `${kind.field} is a list`);
    }
    const most = (element.max_selected_items ?? element.max_files ?? (type === 'file_input' ? 10 : Infinity)) as number;
    if (value.length > most) {
      throw new SandboxRefusal(400, 'too_many', `at most ${most} can be chosen`);
    }
    return { type, [kind.field]: value.map(one) };
  }
  return { type, [kind.field]: one(value) };
}

function check(takes: Kind['takes'], item: unknown, element: Loose, blockId: string, around: Surroundings): unknown {
  const id = typeof item === 'string' ? item : undefined;
  const byValue = (options: readonly Option[]) =>
    options.find((option) => option.value === (item as Partial<Option> | null)?.value);
  switch (takes) {
    case 'option':
      return byValue(optionsOf(element));
    case 'offered': {
      const initial = [element.initial_option, element.initial_options].flat().filter(Boolean) as Option[];
      return byValue([...around.offered(blockId, String(element.action_id)), ...initial]);
    }
    case 'person':
      return id !== undefined && around.isPerson(id) ? id : undefined;
    case 'conversation':
      return id !== undefined && passesFilter(id, element.filter as Loose | undefined, around) ? id : undefined;
    case 'channel': {
      const channel = id === undefined ? undefined : around.conversation(id);
      return channel && !channel.is_private ? id : undefined;
    }
    case 'date':
      return id !== undefined && /^\d{4}-\d\d-\d\d$/.test(id) && !Number.isNaN(Date.parse(id)) ? id : undefined;
    case 'time':
      return id !== undefined && /^([01]\d|2[0-3]):[0-5]\d$/.test(id) ? id : undefined;
    case 'moment':
      return Number.isInteger(item) && String(item).length === 10 ? item : undefined;
    case 'text':
      return id !== undefined && (element.multiline === true || !/[\r\n]/.test(id)) ? id : undefined;
    case 'rich':
      return typeof item === 'object' ? item : undefined;
    case 'file':
      return acceptedFile(id ?? String((item as Loose).id), element, around);
  }
}

function passesFilter(id: string, filter: Loose | undefined, around: Surroundings): boolean {
  const found = around.conversation(id);
  if (!found) {
    return false;
  }
  if (filter?.exclude_external_shared_channels === true && found.is_ext_shared) {
    return false;
  }
  const include = filter?.include as readonly string[] | undefined;
  const kind = found.is_im ? 'im' : found.is_private ? 'private' : 'public';
  return include === undefined || include.includes(kind);
}

/** Slack's own limit for a file given in a modal. */
const largestInputFile = 10_000_000;

function acceptedFile(id: string, element: Loose, around: Surroundings): Loose | undefined {
  const file = around.file(id);
  if (!file || Number(file.size) > largestInputFile) {
    return undefined;
  }
  const types = element.filetypes as readonly string[] | undefined;
  const extension = String(file.name).split('.').at(-1)?.toLowerCase() ?? '';
  return types === undefined || types.includes(String(file.filetype)) || types.includes(extension) ? file : undefined;
}

function initialEntry(element: Loose, channel?: string): StateEntry {
  const type = String(element.type);
  const kind = kinds[type]!;
  const initial = kind.initial === undefined ? undefined : element[kind.initial];
  const current = element.default_to_current_conversation === true ? channel : undefined;
  const value = initial ?? (current !== undefined && Array.isArray(kind.empty) ? [current] : current);
  return { type, [kind.field]: isEmpty(value) ? kind.empty : value };
}

function mapState(blocks: readonly Block[], entry: (element: Loose, block: Block) => StateEntry): StateValues {
  const values: Record<string, Record<string, StateEntry>> = {};
  for (const block of blocks) {
    for (const element of elementsOf(block)) {
      if (isStateful(element)) {
        values[block.block_id] = { ...values[block.block_id], [String(element.action_id)]: entry(element, block) };
      }
    }
  }
  return values;
}
