/** The name of the scan's device contains a text, in any letter case. A name that is not known contains nothing. */
import { z } from 'zod';
import { fold } from '../../codereadr/barcode-equality.js';
import { conditionKind } from './condition.js';

export const deviceName = conditionKind({
  schema: z.object({ kind: z.literal('device_name'), contains: z.string().min(1).max(200) }),
  about: 'one_scan',
  facts: 'names',
  predicate({ contains }) {
    const wanted = fold(contains);
    return ({ names }) => names.device !== undefined && fold(names.device).includes(wanted);
  },
});
