/** Options of a form's pickers while typing: cached resources, and time zones. */

import { z } from 'zod';
import type { Option } from '../../block-kit/elements.js';
import type { OptionsContext } from '../../bolt/routing/context.js';
import { type Listener, options } from '../../bolt/routing/listeners.js';
import { accountOf } from '../../connection/connection.js';
import { formMetadata, operationOf } from '../metadata.js';
import { fieldsOf } from './layout.js';
import { mostOptions, pickId } from './pick-input.js';
import { allOption, idOption, type ListedKind, matching, resourceOption, resourcesOf } from './resources.js';
import { zoneOptions } from './zones.js';

const optionsRequest = z.object({ block_id: z.string(), view: z.object({ private_metadata: z.string() }) });

function fieldOfRequest(body: unknown) {
  const { block_id: blockId, view } = optionsRequest.parse(body);
  const metadata = formMetadata.read(view.private_metadata);
  const name = blockId.slice('v.'.length);
  return fieldsOf(operationOf(metadata), metadata).find((field) => field.name === name);
}

export function pickOptions(kind: ListedKind): Listener {
  return options(pickId(kind), {
    role: 'everyone',
    async offer({ deps, actor, typed, body }: OptionsContext): Promise<readonly Option[]> {
      const inputKind = fieldOfRequest(body)?.kind;
      const all = inputKind?.kind === 'resources' && inputKind.all && typed.trim() === '' ? [allOption(kind)] : [];
      const resources = await resourcesOf(await accountOf(deps, actor.owner), kind);
      const found = matching(resources, typed).map(resourceOption);
      // A resource newer than the cache is found by its id.
      const id = typed.trim();
      const byId =
        /^\d{1,20}$/.test(id) && !resources.some((resource) => resource.id === id) ? [idOption(kind, id)] : [];
      return [...all, ...found, ...byId].slice(0, mostOptions);
    },
  });
}

export const zonePicker = options('form.pick.zone', {
  role: 'everyone',
  async offer({ typed, body }) {
    const inputKind = fieldOfRequest(body)?.kind;
    return zoneOptions(typed, inputKind?.kind === 'zone' && inputKind.account);
  },
});
