/**
 * The loader of a form's pickers: a required picker becomes a menu of cached names where they are fewer than 100, any
 * other one searches. A list that cannot be loaded never prevents the form.
 */
import type { Operation } from '../../../codereadr/operations/operation.js';
import { type Account, AccountError } from '../../../codereadr/types.js';
import { abortAfter } from '../../../timeout.js';
import type { ModalView, Option } from '../../block-kit/elements.js';
import type { AnyDraft } from '../../forms/form.js';
import type { OperationContext, Values } from '../types.js';
import { chooseView, type FormSpec, formView } from './form-view.js';
import { operationForm, type ParamField, pickedIn } from './operation-form.js';
import {
  allValue,
  idOption,
  isListed,
  type ListedKind,
  mostOptions,
  type Resource,
  resourceOption,
  resourcesOf,
} from './resources.js';

/** How long a form waits for names; a picker without them searches instead. */
const namesTimeoutMs = 700;

export interface FormInput extends Omit<FormSpec, 'menus' | 'draft'> {
  readonly draft: AnyDraft;
  /** The only parameters to show, in the step that asks for the item to change; undefined: all. */
  readonly keys?: readonly string[] | undefined;
}

export async function drawForm(
  context: Pick<OperationContext, 'deps' | 'reference'>,
  account: Account,
  { keys, ...spec }: FormInput,
): Promise<ModalView> {
  const { operation, metadata } = spec;
  const pickers = operationForm(operation, metadata).params.flatMap((field) => {
    const { param } = field;
    return (param.type === 'id' || param.type === 'ids') && isListed(param.of) ? [{ field, kind: param.of }] : [];
  });
  const menuKinds = pickers.flatMap(({ field: { name, param }, kind }) => {
    const isNeeded = param.required !== undefined || param.requiredWhen !== undefined;
    return isNeeded && (keys === undefined || keys.includes(name)) ? [kind] : [];
  });
  const nameless = pickers.flatMap(({ field, kind }) =>
    pickedIn(field, spec.draft).some((each) => isNameless(kind, each)) ? [kind] : [],
  );
  const menus: Partial<Record<ListedKind, readonly Option[]>> = {};
  const optionsByKind = new Map<ListedKind, readonly Option[]>();
  await Promise.all(
    [...new Set([...menuKinds, ...nameless])].map(async (kind) => {
      const options = ((await resourcesInTime(context, account, kind)) ?? []).map(resourceOption);
      optionsByKind.set(kind, options);
      if (menuKinds.includes(kind) && options.length > 0 && options.length < mostOptions) {
        menus[kind] = options;
      }
    }),
  );
  const names = pickers.map(({ field, kind }) => withNames(field, kind, spec.draft, optionsByKind.get(kind) ?? []));
  const drawn = { ...spec, draft: { ...spec.draft, ...Object.fromEntries(names) }, menus };
  return keys === undefined ? formView(drawn) : chooseView(drawn, keys);
}

function withNames(field: ParamField, kind: ListedKind, draft: AnyDraft, named: readonly Option[]): [string, unknown] {
  const picked = pickedIn(field, draft).map(
    (each) => (isNameless(kind, each) ? named.find(({ value }) => value === each.value) : undefined) ?? each,
  );
  return [`v.${field.name}`, field.param.type === 'id' ? picked[0] : picked];
}

/** Whether an option shows only its id, since no name is known. */
function isNameless(kind: ListedKind, { value = '', text }: Option): boolean {
  return value !== allValue && text.text === idOption(kind, value).text.text;
}

/** The account's resources of a kind; undefined where they cannot be loaded in time. */
export async function resourcesInTime(
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

/** The names of an input's ids, by parameter, for the form's locked values. A parameter with an unknown id has none. */
export async function namedIds(
  context: Pick<OperationContext, 'deps' | 'reference'>,
  account: Account,
  operation: Operation,
  input: Values,
): Promise<Readonly<Record<string, string>>> {
  const entries = await Promise.all(
    Object.entries(operation.input).map(async ([name, param]): Promise<[string, string] | undefined> => {
      const value = input[name];
      const isReference = param.type === 'id' || param.type === 'ids';
      if (!isReference || value === undefined || !isListed(param.of)) {
        return undefined;
      }
      const ids = [value].flat().map(String);
      const resources = ids.includes('all') ? undefined : await resourcesInTime(context, account, param.of);
      const chosenResources = ids.map((id) => resources?.find((resource) => resource.id === id));
      return chosenResources.some((resource) => resource === undefined)
        ? undefined
        : [name, chosenResources.map((resource) => `${resource!.name || '(no name)'} (ID ${resource!.id})`).join(', ')];
    }),
  );
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
