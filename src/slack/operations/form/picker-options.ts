/** Options of a form's pickers while a person types: cached resources, and time zones. */
import type { OptionsContext } from '../../bolt/routing/context.js';
import { options } from '../../bolt/routing/listeners.js';
import { accountOf } from '../../connection/account.js';
import { type FormMetadata, formModal, operationOf } from '../metadata.js';
import { offersAll } from './param-kinds.js';
import {
  allOption,
  idOption,
  type ListedKind,
  matchingResources,
  mostOptions,
  pickId,
  resourceOption,
  resourcesOf,
} from './resources.js';
import { zoneOptions } from './zones.js';

function requested({ blockId, metadata }: OptionsContext<FormMetadata>) {
  const { input, effect } = operationOf(metadata);
  return { param: input[blockId.slice('v.'.length)], effect };
}

export const pickOptions = (kind: ListedKind) =>
  options(pickId(kind), {
    role: 'everyone',
    metadata: formModal,
    async offer(context) {
      const { deps, actor, typed } = context;
      const { param, effect } = requested(context);
      const all = offersAll(param, effect) && typed.trim() === '' ? [allOption(kind)] : [];
      const resources = await resourcesOf(await accountOf(deps, actor.owner), kind);
      const options = matchingResources(resources, typed).map(resourceOption);
      // A resource newer than the cache is found by its id.
      const id = typed.trim();
      const byId =
        /^\d{1,20}$/.test(id) && !resources.some((resource) => resource.id === id) ? [idOption(kind, id)] : [];
      return [...all, ...options, ...byId].slice(0, mostOptions);
    },
  });

export const zonePicker = options('form.pick.zone', {
  role: 'everyone',
  metadata: formModal,
  async offer(context) {
    const { param } = requested(context);
    return zoneOptions(context.typed, param?.type === 'zone' && param.account === true);
  },
});
