/** The state of inputs: `view.state.values` before and after a person has chosen. */
import { elementsOf } from './blocks/check.js';
import { choose, type Json, kinds, type Surroundings } from './choice.js';
import { SandboxRefusal } from './refusal.js';
import type { Block } from './world/records.js';

export type StateEntry = Json & { readonly type: string };
export type StateValues = Readonly<Record<string, Readonly<Record<string, StateEntry>>>>;
/** Values as a request gives them. They are untrusted: each entry is validated when it is applied. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const isStateful = (element: Json): boolean => kinds[String(element.type)] !== undefined;

/** An element's value; null or an empty list if left empty. */
export function entryValue(entry: StateEntry): unknown {
  const kind = kinds[entry.type];
  return kind && entry[kind.field];
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The initial state; an entry of `storedState` of the same block, action and type replaces the initial one. */
export function stateOf(blocks: readonly Block[], storedState: StateValues, channel?: string): StateValues {
  return mapState(blocks, (element, block) => {
    const before = storedState[block.block_id]?.[String(element.action_id)];
    return before !== undefined && before.type === element.type ? before : initialEntry(element, channel);
  });
}

/** The state after applying `givenValues`, each value validated against what its element accepts. */
export function stateAfter(
  blocks: readonly Block[],
  stateBefore: StateValues,
  givenValues: GivenValues,
  surroundings: Surroundings,
): StateValues {
  for (const [blockId, byAction] of Object.entries(givenValues)) {
    for (const actionId of Object.keys(byAction)) {
      if (!findElement(blocks, blockId, actionId)) {
        throw new SandboxRefusal(404, 'no_such_element', `no element ${actionId} in a block ${blockId}`);
      }
    }
  }
  return mapState(blocks, (element, block) => {
    const actionId = String(element.action_id);
    const value = givenValues[block.block_id]?.[actionId];
    return value === undefined
      ? (stateBefore[block.block_id]?.[actionId] ?? initialEntry(element))
      : entryOf(element, block.block_id, value, surroundings);
  });
}

export function findElement(
  blocks: readonly Block[],
  blockId: string,
  actionId: string,
): { block: Block; element: Json } | undefined {
  for (const block of blocks) {
    if (block.block_id === blockId) {
      const element = elementsOf(block).find((one) => one.action_id === actionId);
      return element && { block, element };
    }
  }
  return undefined;
}

/**
 * The state entry for a person's choice in one element.
 * @throws SandboxRefusal not_offered, too_many, bad_value
 */
export function entryOf(element: Json, blockId: string, givenValue: unknown, surroundings: Surroundings): StateEntry {
  const type = String(element.type);
  const kind = kinds[type];
  if (!kind) {
    throw new SandboxRefusal(400, 'bad_value', `a ${type} holds no value`);
  }
  const value =
    givenValue === null ? kind.empty : typeof givenValue === 'object' ? (givenValue as Json)[kind.field] : undefined;
  if (value === undefined) {
    throw new SandboxRefusal(400, 'bad_value', `a ${type} is given by ${kind.field}`);
  }
  if (isEmpty(value)) {
    return { type, [kind.field]: kind.empty };
  }
  const optionOf = (item: unknown): unknown => {
    const checked = choose(kind.valueKind, item, element, blockId, surroundings);
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
    return { type, [kind.field]: value.map(optionOf) };
  }
  return { type, [kind.field]: optionOf(value) };
}

function initialEntry(element: Json, channel?: string): StateEntry {
  const type = String(element.type);
  const kind = kinds[type]!;
  const initial = kind.initial === undefined ? undefined : element[kind.initial];
  const current = element.default_to_current_conversation === true ? channel : undefined;
  const value = initial ?? (current !== undefined && Array.isArray(kind.empty) ? [current] : current);
  return { type, [kind.field]: isEmpty(value) ? kind.empty : value };
}

function mapState(blocks: readonly Block[], entry: (element: Json, block: Block) => StateEntry): StateValues {
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
