/**
 * The fill of a form's pickers: required ones with cached names, others by search.
 * A list that cannot be loaded never prevents the form.
 */
import type { Operation } from '../../../codereadr/operations/operation.js';
import { type Account, AccountError } from '../../../codereadr/types.js';
import { abortAfter } from '../../../timeout.js';
import type { ModalView, Option } from '../../block-kit/elements.js';
import type { OperationContext } from '../types.js';
import { chooseView, type FormSpec, formView } from './form-view.js';
import { type InputContent, type InputContents, pickedOf } from './input-values.js';
import { type Lists, mostOptions } from './pick-input.js';
import {
  allValue,
  idOption,
  isListed,
  type ListedKind,
  type Resource,
  resourceOption,
  resourcesOf,
} from './resources.js';

/** Names that take longer are searched instead. */
const namesTimeoutMs = 700;

export interface FormInput extends Omit<FormSpec, 'lists'> {
  /** Only these parameters are shown: the step before a change. */
  readonly keys?: readonly string[] | undefined;
}

export async function drawForm(
  context: Pick<OperationContext, 'deps' | 'reference'>,
  account: Account,
  { keys, ...spec }: FormInput,
): Promise<ModalView> {
  const { operation, metadata } = spec;
  const nameless = namelessIn(operation, spec.entered);
  const wanted = Object.entries(operation.input).flatMap(([name, param]): ListedKind[] => {
    const isReference = param.type === 'id' || param.type === 'ids';
    const isNeeded = param.required !== undefined || param.requiredWhen !== undefined;
    const isShown = metadata.locked?.[name] === undefined && (keys === undefined || keys.includes(name));
    return isReference && isListed(param.of) && isNeeded && isShown ? [param.of] : [];
  });
  const lists: Record<string, Lists[ListedKind]> = {};
  const named = new Map<ListedKind, readonly Resource[]>();
  await Promise.all(
    [...new Set([...wanted, ...nameless])].map(async (kind) => {
      const resources = (await namesOf(context, account, kind)) ?? [];
      named.set(kind, resources);
      if (wanted.includes(kind) && resources.length > 0 && resources.length < mostOptions) {
        lists[kind] = resources.map(resourceOption);
      }
    }),
  );
  const drawn = { ...spec, entered: withNames(operation, spec.entered, named), lists };
  return keys === undefined ? formView(drawn) : chooseView(drawn, keys);
}

/** Kinds with a choice of which only the id is known. */
function namelessIn(operation: Operation, entered: InputContents): readonly ListedKind[] {
  return Object.entries(entered).flatMap(([name, content]) => {
    const kind = listedKindOf(operation, name);
    return kind && pickedOf(content).some((each) => isNameless(kind, each)) ? [kind] : [];
  });
}

function withNames(
  operation: Operation,
  entered: InputContents,
  named: ReadonlyMap<ListedKind, readonly Resource[]>,
): InputContents {
  const entries = Object.entries(entered).map(([name, content]): [string, InputContent] => {
    const kind = listedKindOf(operation, name);
    const resources = kind && named.get(kind);
    if (!kind || !resources || !('picked' in content)) {
      return [name, content];
    }
    const picked = content.picked.map((each) => {
      const resource = isNameless(kind, each) ? resources.find(({ id }) => id === each.value) : undefined;
      return resource ? resourceOption(resource) : each;
    });
    return [name, { picked }];
  });
  return Object.fromEntries(entries);
}

function listedKindOf({ input }: Operation, name: string): ListedKind | undefined {
  const param = input[name];
  const isReference = param?.type === 'id' || param?.type === 'ids';
  return isReference && isListed(param.of) ? param.of : undefined;
}

function isNameless(kind: ListedKind, { value = '', text }: Option): boolean {
  return value !== allValue && text.text === idOption(kind, value).text.text;
}

/** Undefined where they cannot be loaded in time. */
export async function namesOf(
  { deps, reference }: Pick<OperationContext, 'deps' | 'reference'>,
  account: Account,
  kind: ListedKind,
): Promise<readonly Resource[] | undefined> {
  try {
    return await abortAfter(deps.clock, namesTimeoutMs, undefined, (signal) =>
      resourcesOf(account, kind, { maxWaitMs: namesTimeoutMs, signal }),
    );
  } catch (error) {
    if (!(error instanceof AccountError)) {
      throw error;
    }
    deps.log.info({ code: error.code, kind, reference }, 'names not loaded in time: picker falls back to search');
    return undefined;
  }
}

/** Names of the ids in an input, for messages. */
export async function namedIds(
  context: Pick<OperationContext, 'deps' | 'reference'>,
  account: Account,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const entries = await Promise.all(
    Object.entries(operation.input).map(async ([name, param]): Promise<[string, string] | undefined> => {
      const value = input[name];
      const isReference = param.type === 'id' || param.type === 'ids';
      if (!isReference || value === undefined || !isListed(param.of)) {
        return undefined;
      }
      const ids = [value].flat().map(String);
      const resources = ids.includes('all') ? undefined : await namesOf(context, account, param.of);
      const found = ids.map((id) => resources?.find((resource) => resource.id === id));
      return found.some((resource) => resource === undefined)
        ? undefined
        : [name, found.map((resource) => `${resource!.name || '(no name)'} (ID ${resource!.id})`).join(', ')];
    }),
  );
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
