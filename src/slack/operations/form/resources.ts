/** The account's resources as pickers show them, from the name cache. Scans and uploads are too many to list. */
import { namedKind, resourceName } from '../../../codereadr/names.js';
import { labelOf } from '../../../codereadr/operations/check.js';
import type { Operation, ReferenceKind } from '../../../codereadr/operations/operation.js';
import type { Account, CachedResources, CallOptions, NamedKind } from '../../../codereadr/types.js';
import { countOf, upperFirst } from '../../../english.js';
import { cut, type Option, option, pickable } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';

/** The label of a parameter; for an id without a label, the kind of resource. */
export function labelIn(operation: Operation, name: string): string {
  const param = operation.input[name];
  if (param?.label === undefined && (param?.type === 'id' || param?.type === 'ids')) {
    return upperFirst(param.type === 'id' ? param.of : `${param.of}s`);
  }
  return param ? labelOf(operation, name) : name;
}

export interface Resource {
  readonly id: string;
  readonly name: string;
  /** The text that distinguishes resources of the same name. */
  readonly more?: string;
}

export type ListedKind = Exclude<ReferenceKind, 'scan' | 'upload'>;

export const listedKinds: readonly ListedKind[] = ['service', 'user', 'device', 'database', 'question', 'answer'];

export function isListed(kind: ReferenceKind): kind is ListedKind {
  return kind !== 'scan' && kind !== 'upload';
}

/** The account's resources of a kind. @throws AccountError */
export async function resourcesOf(
  { names }: Pick<Account, 'names'>,
  kind: ListedKind,
  options?: CallOptions,
): Promise<readonly Resource[]> {
  const named = namedKind(kind);
  if (named === undefined) {
    return (await names.questions(options)).flatMap(({ text, answers }) =>
      answers.map((answer) => ({ id: answer.id, name: answer.text, more: text })),
    );
  }
  return (await names[named](options)).map((resource: CachedResources[NamedKind]) => ({
    id: resource.id,
    name: resourceName(resource),
    ...('count' in resource && resource.count !== undefined ? { more: countOf(resource.count, 'value') } : {}),
  }));
}

export function resourceOption({ id, name, more }: Resource): Option {
  const shownName = settled(name).trim() === '' ? '(no name)' : settled(name);
  return option(shownName, id, more === undefined ? `ID ${id}` : `${cut(settled(more), 50)} · ID ${id}`);
}

/** The option of an id without a known name. */
export function idOption(kind: ReferenceKind, id: string): Option {
  return option(`${kind} ${settled(id)}`, id);
}

/** The value that stands for every item in the account's API. */
export const allValue = 'all';

export function allOption(kind: ReferenceKind): Option {
  return option(`All ${kind}s`, allValue);
}

/** Slack's limit of options in a select; a picker with more searches. */
export const mostOptions = 100;

/** The `action_id` of a picker that searches. */
export function pickId(kind: ListedKind): string {
  return `form.pick.${kind}`;
}

/** The resources whose name or distinguishing text holds the typed text, ignoring case, or whose id begins with it. */
export function matchingResources(resources: readonly Resource[], typedText: string): readonly Resource[] {
  const wanted = typedText.trim().toLowerCase();
  return pickable(resources).filter(
    ({ id, name, more }) =>
      name.toLowerCase().includes(wanted) || id.startsWith(wanted) || (more ?? '').toLowerCase().includes(wanted),
  );
}
