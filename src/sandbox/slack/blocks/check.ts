/**
 * Block Kit validation: Slack's error message for each fault, with a JSON pointer to it. Valid blocks come back with
 * generated ids where the app gave none.
 */
import type { z } from 'zod';
import type { Random } from '../../../clock.js';
import { newBlockId } from '../ids.js';
import type { Block } from '../world/records.js';
import { homeView, messageBlocks, modalView } from './layout.js';

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: string[] };

type AnyObject = Readonly<Record<string, unknown>>;

/** A validated view; every block has an id. */
export interface CheckedView {
  readonly type: 'modal' | 'home';
  readonly blocks: readonly Block[];
  readonly [field: string]: unknown;
}

/** Validates a message's blocks. `pointer` is their location in the request. */
export function checkMessageBlocks(blocks: unknown, random: Random, pointer = '/blocks'): Outcome<readonly Block[]> {
  const parsed = messageBlocks.safeParse(blocks);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.flatMap((issue) => wordsOf(issue, pointer, blocks)) };
  }
  const faults = [...crossFaults(parsed.data, pointer), ...countFaults(parsed.data, pointer)];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: nameAll(parsed.data, random) };
}

/** Whether there is more than one table, which Slack answers with an error code of its own. */
export function hasTwoTables(blocks: unknown): boolean {
  return (
    Array.isArray(blocks) &&
    blocks.filter((block: AnyObject | null) => block?.type === 'table' || block?.type === 'data_table').length > 1
  );
}

export function checkView(view: unknown, random: Random, pointer = '/view'): Outcome<CheckedView> {
  const kind = typeof view === 'object' && view !== null ? (view as AnyObject).type : undefined;
  if (kind !== 'modal' && kind !== 'home') {
    return { ok: false, faults: [`[ERROR] unsupported type: ${String(kind)} [json-pointer:${pointer}/type]`] };
  }
  const parsed = (kind === 'modal' ? modalView : homeView).safeParse(view);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.flatMap((issue) => wordsOf(issue, pointer, view)) };
  }
  const faults = crossFaults(parsed.data.blocks, `${pointer}/blocks`);
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, value: { ...parsed.data, blocks: nameAll(parsed.data.blocks, random) } };
}

/** Every interactive element of a block. */
export function elementsOf(block: AnyObject): AnyObject[] {
  const { accessory, element, elements } = block;
  if (block.type === 'actions' && Array.isArray(elements)) {
    return elements as AnyObject[];
  }
  const single = block.type === 'section' ? accessory : block.type === 'input' ? element : undefined;
  return single !== undefined && (single as AnyObject).type !== 'image' ? [single as AnyObject] : [];
}

/** Ids of the Slack files in the blocks. An image may also name a file by its private URL, which contains the id. */
export function shownFiles(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(shownFiles);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { slack_file: file } = value as { slack_file?: { id?: string; url?: string } };
  const id = file?.id ?? /-(F[A-Z0-9]+)\//.exec(file?.url ?? '')?.[1];
  return [...(file ? [id ?? ''] : []), ...Object.values(value).flatMap(shownFiles)];
}

function crossFaults(blocks: readonly AnyObject[], pointer: string): string[] {
  const faults: string[] = [];
  const seenIds = new Set<unknown>();
  let focused = 0;
  blocks.forEach((block, index) => {
    if (block.block_id !== undefined && seenIds.has(block.block_id)) {
      faults.push(`[ERROR] block_id \`${block.block_id}\` already exists [json-pointer:${pointer}/${index}/block_id]`);
    }
    seenIds.add(block.block_id);
    const actions = elementsOf(block).flatMap((element) => element.action_id ?? []);
    if (new Set(actions).size !== actions.length) {
      faults.push(`[ERROR] action_id already exists in the block [json-pointer:${pointer}/${index}]`);
    }
    focused += elementsOf(block).filter((element) => element.focus_on_load === true).length;
  });
  if (focused > 1) {
    faults.push(`[ERROR] only one element may have focus_on_load [json-pointer:${pointer}]`);
  }
  return faults;
}

function countFaults(blocks: readonly AnyObject[], pointer: string): string[] {
  const faults: string[] = [];
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  if (ofType('data_visualization').length > 2) {
    faults.push(`[ERROR] no more than 2 data_visualization blocks allowed [json-pointer:${pointer}]`);
  }
  const markdown = ofType('markdown').reduce((sum, block) => sum + String(block.text).length, 0);
  if (markdown > 12_000) {
    faults.push(`[ERROR] markdown blocks must have no more than 12000 characters in all [json-pointer:${pointer}]`);
  }
  return faults;
}

function nameAll(blocks: readonly AnyObject[], random: Random): Block[] {
  const withAction = (element: unknown): unknown =>
    typeof element === 'object' && element !== null && (element as AnyObject).type !== 'image'
      ? { ...element, action_id: (element as AnyObject).action_id ?? newBlockId(random) }
      : element;
  return blocks.map((block) => ({
    ...block,
    type: String(block.type),
    block_id: typeof block.block_id === 'string' ? block.block_id : newBlockId(random),
    ...(block.type === 'section' && block.accessory ? { accessory: withAction(block.accessory) } : {}),
    ...(block.type === 'input' ? { element: withAction(block.element) } : {}),
    ...(block.type === 'actions' ? { elements: (block.elements as unknown[]).map(withAction) } : {}),
  }));
}

function wordsOf(issue: z.core.$ZodIssue, pointer: string, root: unknown): string[] {
  const path = `${pointer}${issue.path.map((part) => `/${String(part)}`).join('')}`;
  const faultText = (fault: string, where = path): string => `[ERROR] ${fault} [json-pointer:${where}]`;
  switch (issue.code) {
    case 'too_big':
      return [
        issue.origin === 'array'
          ? faultText(`no more than ${issue.maximum} items allowed`)
          : issue.origin === 'string'
            ? faultText(`must be less than ${Number(issue.maximum) + 1} characters`)
            : faultText(`must be no more than ${issue.maximum}`),
      ];
    case 'too_small':
      return [
        issue.origin === 'array'
          ? faultText(`must provide at least ${issue.minimum} items`)
          : issue.origin === 'string'
            ? faultText(`must be more than ${Number(issue.minimum) - 1} characters`)
            : faultText(`must be at least ${issue.minimum}`),
      ];
    case 'unrecognized_keys':
      return issue.keys.map((key) => faultText(`invalid additional property: ${key}`));
    case 'invalid_type':
      return valueAt(root, issue.path) === undefined
        ? [faultText(`missing required field: ${String(issue.path.at(-1))}`, path.slice(0, path.lastIndexOf('/')))]
        : [faultText(`must be a valid ${issue.expected}`)];
    case 'invalid_union': {
      const nested = issue.errors.filter((issues) => issues.length > 0);
      if (nested.length === 0) {
        return [faultText(`unsupported type: ${String(valueAt(root, issue.path))}`)];
      }
      const nearest = nested.reduce((best, issues) => (issues.length < best.length ? issues : best));
      return nearest.flatMap((inner) => wordsOf(inner, path, valueAt(root, issue.path)));
    }
    default:
      return [faultText(issue.message)];
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );
}
