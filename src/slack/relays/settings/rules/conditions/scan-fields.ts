/** The fields of conditions about a scan itself: its barcode, and where it comes from. */
import { utcZone } from '../../../../../codereadr/operations/zones.js';
import { conditionSchema } from '../../../../../relay/index.js';
import { boundsOf, variantOf } from '../../../../forms/bounds.js';
import { when } from '../../../../forms/form.js';
import * as kinds from '../../../../forms/kinds.js';
import { idOption } from '../../../../operations/form/resources.js';
import { zoneOption } from '../../../../operations/form/zones.js';
import { typedLines } from '../../inputs/barcode-lines.js';
import { zone } from '../../inputs/hours.js';
import { barcodes, pattern, records } from '../../inputs/kinds.js';
import { field, type ScanSource, stored } from './condition-source.js';

const ids = variantOf(conditionSchema, 'silence').shape.ids;
const days = variantOf(conditionSchema, 'expires').shape.days;

export const ignoreCase = kinds.checkbox('Ignore upper and lower case');

function idsField(kind: ScanSource, label: string) {
  return field(records(kind, boundsOf(ids)), {
    label,
    rerenders: true,
    shown: (draft) => draft.when === `from:${kind}` || (draft.when === 'silence' && draft['silence.of'] === kind),
    from(source) {
      const from = stored(source, 'from');
      const quiet = stored(source, 'silence');
      const chosen = from?.what === kind ? from.ids : quiet?.of === kind ? quiet.ids : [];
      return chosen.map((id) => source.nameOf(kind, id) ?? idOption(kind, id));
    },
  });
}

export const scanFields = {
  values: field(barcodes, {
    label: 'Barcodes',
    hint: 'One per line, exactly as scanned. Type \\x1d for the GS1 separator.',
    shown: when('when', 'value'),
    from: (source) => typedLines(stored(source, 'value')?.is ?? []) ?? '',
  }),
  'values.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: when('when', 'value'),
    from: (source) => !(stored(source, 'value')?.exact ?? true),
  }),
  pattern: field(
    pattern({ ...boundsOf(variantOf(conditionSchema, 'value_pattern').shape.pattern), placeholder: '^VIP-' }),
    {
      label: 'Pattern',
      hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
      rerenders: true,
      shown: when('when', 'value_pattern'),
      from: (source) => stored(source, 'value_pattern')?.pattern ?? '',
    },
  ),
  batches: field(barcodes, {
    label: 'Batches',
    hint: 'One batch or lot number per line, as in the GS1 barcode.',
    shown: when('when', 'batch'),
    from: (source) => typedLines(stored(source, 'batch')?.is ?? []) ?? '',
  }),
  'batches.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: when('when', 'batch'),
    from: (source) => !(stored(source, 'batch')?.exact ?? true),
  }),
  days: field(kinds.integer(boundsOf(days)), {
    label: 'Days left, at most',
    hint: 'With 0, items that expire today. Items that have expired always match.',
    shown: when('when', 'expires'),
    from: (source) => String(stored(source, 'expires')?.days ?? 30),
  }),
  'days.zone': field(zone, {
    label: 'Time zone',
    hint: 'A day begins at midnight in this time zone.',
    shown: when('when', 'expires'),
    from: (source) => zoneOption(stored(source, 'expires')?.zone ?? source.zone ?? utcZone),
  }),
  'ids.service': idsField('service', 'Services'),
  'ids.user': idsField('user', 'Users'),
  'ids.device': idsField('device', 'Devices'),
} as const;
