/** The pickers of services, users and devices in the search form: the account's, or any name with the typed text. */
import type { NamedPart } from '../../search/index.js';
import { type Option, option } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { type ListenerOf, options } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import * as kinds from '../forms/kinds.js';
import { matchingResources, mostOptions, resourceOption, resourcesOf } from '../operations/form/resources.js';

export const pickedKinds = ['service', 'user', 'device'] as const;
export type PickedKind = (typeof pickedKinds)[number];

const actionOf = (kind: PickedKind) => `scans.pick.${kind}`;
export const mostPicked = 20;
/** The longest typed part in an option’s value, which also holds a prefix. */
const longestPart = 100;

export function namePicker(kind: PickedKind) {
  return kinds.multiPicker({ action: actionOf(kind), placeholder: `Any ${kind}` }, { max: mostPicked });
}

export function partOption(part: NamedPart): Option {
  return 'id' in part
    ? option(shortName(part.name, 75), `id:${part.id}`)
    : option(`Any with “${shortName(part.part, 40)}”`, `part:${part.part.slice(0, longestPart)}`);
}

export function optionPart({ text, value = '' }: Option): NamedPart {
  return value.startsWith('part:')
    ? { part: value.slice('part:'.length) }
    : { id: value.slice('id:'.length), name: text.text };
}

export const nameOptions: readonly ListenerOf<'options'>[] = pickedKinds.map((kind) =>
  options(actionOf(kind), {
    role: 'everyone',
    async offer({ deps, actor, typed }) {
      const resources = await resourcesOf(await accountOf(deps, actor.owner), kind);
      const part = typed.trim();
      const found = matchingResources(resources, typed).slice(0, mostOptions - 1);
      return [
        ...found.map((resource) => ({ ...resourceOption(resource), value: `id:${resource.id}` })),
        ...(part === '' ? [] : [partOption({ part })]),
      ];
    },
  }),
);
