/** The pickers of the account's services, users and devices, shared by the conditions that name some of them. */
import { plural, upperFirst } from '../../english.js';
import { conditionKinds } from '../../relay/index.js';
import { boundsOf } from '../forms/bounds.js';
import { records } from '../inputs/kinds.js';
import { idOption } from '../operations/form/resources.js';
import { field, type ScanSource } from './condition.js';

const bounds = boundsOf(conditionKinds.silence.schema.shape.ids);

function idsField(kind: ScanSource) {
  return field(records(kind, bounds), {
    label: upperFirst(plural(2, kind)),
    rerenders: true,
    shown: (draft) => (draft.about === 'silence' ? draft['silence.of'] === kind : draft.when === `from:${kind}`),
    from: ({ condition, nameOf }) =>
      (condition?.kind === 'from' && condition.what === kind) ||
      (condition?.kind === 'silence' && condition.of === kind)
        ? condition.ids.map((id) => nameOf(kind, id) ?? idOption(kind, id))
        : [],
  });
}

export const idFields = {
  'ids.service': idsField('service'),
  'ids.user': idsField('user'),
  'ids.device': idsField('device'),
};
