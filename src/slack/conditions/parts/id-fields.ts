/** The pickers of the account's services, users and devices, shared by the conditions that name some of them. */
import { conditionKinds } from '../../../relay/index.js';
import { boundsOf } from '../../forms/bounds.js';
import { idOption } from '../../operations/form/resources.js';
import { field, type ScanSource, stored } from '../condition.js';
import { records } from '../inputs/kinds.js';

function idsField(kind: ScanSource, label: string) {
  return field(records(kind, boundsOf(conditionKinds.silence.schema.shape.ids)), {
    label,
    rerenders: true,
    shown: (draft) => (draft.about === 'silence' ? draft['silence.of'] === kind : draft.when === `from:${kind}`),
    from(source) {
      const from = stored(source, 'from');
      const quiet = stored(source, 'silence');
      const chosenIds = from?.what === kind ? from.ids : quiet?.of === kind ? quiet.ids : [];
      return chosenIds.map((id) => source.nameOf(kind, id) ?? idOption(kind, id));
    },
  });
}

export const idFields = {
  'ids.service': idsField('service', 'Services'),
  'ids.user': idsField('user', 'Users'),
  'ids.device': idsField('device', 'Devices'),
} as const;
