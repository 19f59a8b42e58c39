/**
 * The inputs of one view or message, in the shape of Slack's `view.state.values`: by block id, then action id. The
 * state outlives the elements that show it, so that an update of the view loses no typing.
 */
import { isRecord, type Json, records, str } from './json.js';

/**
 * As in Slack's state: `{ type: 'plain_text_input', value: 'A' }`, `{ type: 'static_select', selected_option: {…} }` …
 */
export type FieldValue = Json & { readonly type: string };
export type FormValues = Record<string, Record<string, FieldValue>>;

export interface FormState {
  /** The stored value if it is of the same type, else the initial one, which is then stored. */
  begin(blockId: string, actionId: string, initial: FieldValue): FieldValue;
  set(blockId: string, actionId: string, value: FieldValue): void;
  get(blockId: string, actionId: string): FieldValue | undefined;
  /** Drops every field that these blocks no longer have. */
  keepOnly(blocks: readonly Json[]): void;
  values(): FormValues;
  /** Loads the workspace's stored values of this view, before anything is drawn. */
  seed(values: Json | undefined): void;
}

/** Every element of a block that has an action id. */
export function elementsOf(block: Json): readonly Json[] {
  const single = [block.element, block.accessory].filter(isRecord);
  return [...single, ...records(block, 'elements')].filter((element) => str(element, 'action_id') !== undefined);
}

export function createFormState(): FormState {
  const fields = new Map<string, Map<string, FieldValue>>();
  const put = (blockId: string, actionId: string, value: FieldValue): void => {
    const block = fields.get(blockId) ?? new Map<string, FieldValue>();
    fields.set(blockId, block.set(actionId, value));
  };
  return {
    begin(blockId, actionId, initial) {
      const storedValue = fields.get(blockId)?.get(actionId);
      if (storedValue && storedValue.type === initial.type) return storedValue;
      put(blockId, actionId, initial);
      return initial;
    },
    set: put,
    get: (blockId, actionId) => fields.get(blockId)?.get(actionId),
    keepOnly(blocks) {
      const there = new Map(
        blocks.map((block) => [
          str(block, 'block_id') ?? '',
          new Set(elementsOf(block).map((element) => str(element, 'action_id'))),
        ]),
      );
      for (const [blockId, block] of fields) {
        for (const actionId of block.keys()) if (!there.get(blockId)?.has(actionId)) block.delete(actionId);
        if (block.size === 0) fields.delete(blockId);
      }
    },
    seed(values) {
      for (const [blockId, block] of Object.entries(values ?? {})) {
        if (!isRecord(block)) continue;
        for (const [actionId, value] of Object.entries(block)) {
          const type = isRecord(value) ? str(value, 'type') : undefined;
          if (isRecord(value) && type !== undefined) put(blockId, actionId, { ...value, type });
        }
      }
    },
    values: () => Object.fromEntries([...fields].map(([blockId, block]) => [blockId, Object.fromEntries(block)])),
  };
}
