/** A scan as a tool tells it. Pure. */
import { z } from 'zod';
import { resultInText } from '../../scans/result-words.js';
import type { SeenScan } from '../../scans/seen-scan.js';
import { moment, momentShape, quoted, toolResults } from '../wording.js';

export const scanShape = z.object({
  barcode: z.string(),
  result: z.enum(['valid', 'not_valid', 'not_checked', 'other']),
  at: momentShape.optional(),
  response: z.string().optional(),
  service: z.string().optional(),
  user: z.string().optional(),
  device: z.string().optional(),
});
type ScanData = z.input<typeof scanShape>;

const results = { valid: 'valid', invalid: 'not_valid', not_validated: 'not_checked', other: 'other' } as const;

export function scanData({ value, status, at, result, service, user, device }: SeenScan): ScanData {
  return {
    ...{ barcode: value, result: results[status] },
    ...(at === undefined ? {} : { at: moment(at) }),
    ...Object.fromEntries(
      Object.entries({ response: result, service: service.name, user: user.name, device: device.name }).filter(
        ([, text]) => text !== '',
      ),
    ),
  };
}

export function scanText({ barcode, result, at, response, service, user, device }: ScanData): string {
  return [
    `${quoted(barcode)} ${resultInText(toolResults[result])}`,
    ...(at === undefined ? [] : [`at ${at}`]),
    ...Object.entries({ service, user, device, response }).flatMap(([name, text]) =>
      text === undefined ? [] : [`${name} ${quoted(text)}`],
    ),
  ].join(', ');
}
