/** Options for the pickers in settings forms: the account's records, user groups, time zones. */
import { type Option, option, pickable } from '../../../block-kit/elements.js';
import { settled } from '../../../block-kit/text.js';
import { type ListenerOf, options } from '../../../bolt/routing/listeners.js';
import { userGroupPicker } from '../../../connection/access/access.js';
import { accountOf } from '../../../connection/account.js';
import { type PickKind, pickAction, pickKinds } from '../../../inputs/kinds.js';
import { matchingResources, resourceOption, resourcesOf } from '../../../operations/form/resources.js';
import { zoneOptions } from '../../../operations/form/zones.js';

/** The options of a picker. A device's value is its udid, as in scans; the other records' value is the account's id. */
function pickOptions(kind: PickKind): ListenerOf<'options'> {
  return options(pickAction(kind), {
    role: 'manager',
    async offer({ deps, actor, typed }) {
      const account = await accountOf(deps, actor.owner);
      if (kind === 'device') {
        return deviceOptions(await account.names.devices(), typed);
      }
      return matchingResources(await resourcesOf(account, kind), typed).map(resourceOption);
    },
  });
}

export function deviceOptions(
  devices: readonly { readonly udid: string; readonly name: string }[],
  typedText: string,
): Option[] {
  const search = typedText.trim().toLowerCase();
  return pickable(devices.map(({ udid, name }) => ({ id: udid, udid, name })))
    .filter(({ udid, name }) => `${name} ${udid}`.toLowerCase().includes(search))
    .map(({ udid, name }) => option(settled(name.trim() === '' ? udid : name), udid, settled(udid)));
}

export const pickerOptions = [
  ...pickKinds.map(pickOptions),
  options('relay.pick.zone', { role: 'manager', offer: async ({ typed }) => zoneOptions(typed, false) }),
  userGroupPicker('relay.pick.group', 'manager'),
];
