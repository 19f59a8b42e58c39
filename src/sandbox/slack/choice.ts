/** The value of each element type: the state field that holds the value, and whether the element accepts it. */

export type Json = Readonly<Record<string, unknown>>;

export interface Option {
  readonly value: string;
  readonly [field: string]: unknown;
}

/** The context that validating a choice needs besides the element. */
export interface Surroundings {
  isPerson(id: string): boolean;
  /** The conversation; undefined if this person cannot see it. */
  conversation(id: string): { is_private: boolean; is_im: boolean; is_ext_shared: boolean } | undefined;
  offeredOptions(blockId: string, actionId: string): readonly Option[];
  /** A file that this person uploaded, as Slack describes it. */
  file(id: string): Json | undefined;
}

export interface Kind {
  /** The state field that holds the value. */
  readonly field: string;
  /** The element's property with the initial value. */
  readonly initial?: string;
  readonly empty: null | readonly [];
  readonly valueKind:
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

export const kinds: Readonly<Record<string, Kind>> = {
  static_select: { field: 'selected_option', initial: 'initial_option', empty: null, valueKind: 'option' },
  radio_buttons: { field: 'selected_option', initial: 'initial_option', empty: null, valueKind: 'option' },
  external_select: { field: 'selected_option', initial: 'initial_option', empty: null, valueKind: 'offered' },
  checkboxes: { field: 'selected_options', initial: 'initial_options', empty: [], valueKind: 'option' },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', empty: [], valueKind: 'option' },
  multi_external_select: { field: 'selected_options', initial: 'initial_options', empty: [], valueKind: 'offered' },
  users_select: { field: 'selected_user', initial: 'initial_user', empty: null, valueKind: 'person' },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', empty: [], valueKind: 'person' },
  conversations_select: {
    field: 'selected_conversation',
    initial: 'initial_conversation',
    empty: null,
    valueKind: 'conversation',
  },
  multi_conversations_select: {
    field: 'selected_conversations',
    initial: 'initial_conversations',
    empty: [],
    valueKind: 'conversation',
  },
  channels_select: { field: 'selected_channel', initial: 'initial_channel', empty: null, valueKind: 'channel' },
  multi_channels_select: { field: 'selected_channels', initial: 'initial_channels', empty: [], valueKind: 'channel' },
  datepicker: { field: 'selected_date', initial: 'initial_date', empty: null, valueKind: 'date' },
  timepicker: { field: 'selected_time', initial: 'initial_time', empty: null, valueKind: 'time' },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time', empty: null, valueKind: 'moment' },
  plain_text_input: { field: 'value', initial: 'initial_value', empty: null, valueKind: 'text' },
  email_text_input: { field: 'value', initial: 'initial_value', empty: null, valueKind: 'text' },
  url_text_input: { field: 'value', initial: 'initial_value', empty: null, valueKind: 'text' },
  number_input: { field: 'value', initial: 'initial_value', empty: null, valueKind: 'text' },
  rich_text_input: { field: 'rich_text_value', initial: 'initial_value', empty: null, valueKind: 'rich' },
  file_input: { field: 'files', empty: [], valueKind: 'file' },
};

/** All options of a menu, in groups or not. */
export function optionsOf(element: Json): readonly Option[] {
  const groups = element.option_groups as readonly { options: readonly Option[] }[] | undefined;
  return (element.options as readonly Option[] | undefined) ?? (groups ?? []).flatMap((group) => group.options);
}

/** @returns the chosen value in full, or undefined if the element does not accept it. */
export function choose(
  valueKind: Kind['valueKind'],
  item: unknown,
  element: Json,
  blockId: string,
  surroundings: Surroundings,
): unknown {
  const id = typeof item === 'string' ? item : undefined;
  const byValue = (options: readonly Option[]) =>
    options.find((option) => option.value === (item as Partial<Option> | null)?.value);
  switch (valueKind) {
    case 'option':
      return byValue(optionsOf(element));
    case 'offered': {
      const initial = [element.initial_option, element.initial_options].flat().filter(Boolean) as Option[];
      return byValue([...surroundings.offeredOptions(blockId, String(element.action_id)), ...initial]);
    }
    case 'person':
      return id !== undefined && surroundings.isPerson(id) ? id : undefined;
    case 'conversation':
      return id !== undefined && passesFilter(id, element.filter as Json | undefined, surroundings) ? id : undefined;
    case 'channel': {
      const channel = id === undefined ? undefined : surroundings.conversation(id);
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
      return acceptedFile(id ?? String((item as Json | null)?.id), element, surroundings);
  }
}

function passesFilter(id: string, filter: Json | undefined, surroundings: Surroundings): boolean {
  const conversation = surroundings.conversation(id);
  if (!conversation) {
    return false;
  }
  if (filter?.exclude_external_shared_channels === true && conversation.is_ext_shared) {
    return false;
  }
  const include = filter?.include as readonly string[] | undefined;
  const kind = conversation.is_im ? 'im' : conversation.is_private ? 'private' : 'public';
  return include === undefined || include.includes(kind);
}

/** Slack's limit for a file in a modal's file input, in bytes. */
const largestInputFile = 10_000_000;

function acceptedFile(id: string, element: Json, around: Surroundings): Json | undefined {
  const file = around.file(id);
  if (!file || Number(file.size) > largestInputFile) {
    return undefined;
  }
  const types = element.filetypes as readonly string[] | undefined;
  const extension = String(file.name).split('.').at(-1)?.toLowerCase() ?? '';
  return types === undefined || types.includes(String(file.filetype)) || types.includes(extension) ? file : undefined;
}
