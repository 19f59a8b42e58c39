/**
 * Slack's limits for a view: lengths (UTF-16 units), counts and unique ids. Pure; faults name places, never texts.
 * Source: Slack's references "Modal views", "Blocks", "Block elements" and "Composition objects".
 */
type Node = Readonly<Record<string, unknown>>;
type Limits = Readonly<Record<string, number>>;

/** Limits by an element's type, then by field: the length of a text, or the number of elements in a list. */
const limits: Readonly<Record<string, Limits>> = {
  modal: { title: 24, submit: 24, close: 24, private_metadata: 3000, callback_id: 255, external_id: 255, blocks: 100 },
  home: { private_metadata: 3000, callback_id: 255, external_id: 255, blocks: 100 },
  section: { text: 3000, fields: 10 },
  header: { text: 150 },
  context: { elements: 10 },
  actions: { elements: 25 },
  image: { alt_text: 2000, title: 2000, image_url: 3000 },
  input: { label: 2000, hint: 2000 },
  button: { text: 75, value: 2000, url: 3000, accessibility_label: 75 },
  overflow: { options: 5 },
  radio_buttons: { options: 10 },
  checkboxes: { options: 10 },
  static_select: { options: 100, option_groups: 100 },
  multi_static_select: { options: 100, option_groups: 100, initial_options: 100 },
  multi_external_select: { initial_options: 100 },
  plain_text_input: { initial_value: 3000 },
};
const commonLimits: Limits = { block_id: 255, action_id: 255, placeholder: 150 };
const optionLimits: Limits = { text: 75, value: 150, description: 75, url: 3000 };
const confirmLimits: Limits = { title: 100, text: 300, confirm: 30, deny: 30 };
const groupLimits: Limits = { label: 75, options: 100 };
/** The most characters of a text in a list: fields of a section, elements of a context. */
const listedText = 2000;

/** Limits for fields whose objects have no type of their own. */
const typeless: Readonly<Record<string, Limits>> = {
  options: optionLimits,
  initial_options: optionLimits,
  initial_option: optionLimits,
  option_groups: groupLimits,
  confirm: confirmLimits,
};

/** Lists that Slack refuses when empty; an empty `blocks` is a blank view. */
const neverEmpty = new Set(['options', 'option_groups', 'initial_options', 'elements', 'fields', 'initial_users']);

export function viewFaults(view: object): readonly string[] {
  const faults: string[] = [];
  visit(view as Node, limits[String((view as Node).type)] ?? {}, 'view', faults);
  const blocks = ((view as Node).blocks ?? []) as readonly Node[];
  const blockIds = blocks.map(({ block_id: id }) => id);
  faults.push(...repeatedIn(blockIds).map((id) => `view.blocks: block_id ${id} is there twice`));
  if (
    (view as Node).type === 'modal' &&
    (view as Node).submit === undefined &&
    blocks.some(({ type }) => type === 'input')
  ) {
    faults.push('view.submit: missing, with inputs among the blocks');
  }
  return faults;
}

function visit(node: Node, ownLimits: Limits, at: string, faults: string[]): void {
  for (const [field, value] of Object.entries(node)) {
    const fieldPath = `${at}.${field}`;
    const maxSize = ownLimits[field] ?? commonLimits[field];
    const size = sizeOf(value);
    if (maxSize !== undefined && size !== undefined && size > maxSize) {
      faults.push(`${fieldPath}: ${size} of at most ${maxSize}`);
    }
    if (size === 0 && (field === 'text' || neverEmpty.has(field))) {
      faults.push(`${fieldPath}: empty`);
    }
    for (const [index, each] of entriesOf(value)) {
      const path = index === undefined ? fieldPath : `${fieldPath}.${index}`;
      const listed = index === undefined || maxSize === undefined ? undefined : sizeOf(each);
      if (listed !== undefined && listed > listedText) {
        faults.push(`${path}: ${listed} of at most ${listedText}`);
      }
      visit(each, typeless[field] ?? limits[String(each.type)] ?? {}, path, faults);
    }
  }
  if (Array.isArray(node.options)) {
    faults.push(...optionFaults(node, at));
  }
  if (node.type === 'plain_text_input') {
    const most = typeof node.max_length === 'number' ? node.max_length : Number.POSITIVE_INFINITY;
    if (String(node.initial_value ?? '').length > most) faults.push(`${at}.initial_value: longer than max_length`);
  }
  if (node.type === 'actions') {
    const ids = (node.elements as readonly Node[]).map(({ action_id: id }) => id);
    faults.push(...repeatedIn(ids).map((id) => `${at}: action_id ${id} is there twice`));
  }
}

/** Option values must be unique, and an initial option must be one of them. */
function optionFaults(node: Node, path: string): readonly string[] {
  const options = node.options as readonly Node[];
  const values = options.map(({ value }) => value);
  const first = [node.initial_option, ...((node.initial_options ?? []) as readonly unknown[])] as readonly (
    | Node
    | undefined
  )[];
  const unlisted = first.filter((each) => each !== undefined && !values.includes(each.value));
  return [
    ...(values.includes('') ? [`${path}.options: a value is empty`] : []),
    ...(repeatedIn(values).length > 0 ? [`${path}.options: a value is there twice`] : []),
    ...(unlisted.length > 0 ? [`${path}: what is chosen at first is no option`] : []),
  ];
}

/** The length of a text or a list. */
function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) {
    return value.length;
  }
  return isNode(value) && typeof value.text === 'string' ? value.text.length : undefined;
}

/** The child objects, with their index in a list. */
function entriesOf(value: unknown): readonly (readonly [index: number | undefined, node: Node])[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => (isNode(each) ? [[index, each] as const] : []));
  }
  return isNode(value) ? [[undefined, value]] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function repeatedIn(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value, at) => value !== undefined && values.indexOf(value) !== at);
}
