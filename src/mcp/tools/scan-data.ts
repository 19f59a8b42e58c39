/** A scan in a tool's data. Pure. */
import { z } from 'zod';
import type { SeenScan } from '../../scans/seen-scan.js';
import { momentIfAny, momentShape, toolResults } from '../wording.js';

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

export function scanData({ value, status, at, result, service, user, device }: SeenScan): ScanData {
  return {
    barcode: value,
    result: toolResults[status],
    at: momentIfAny(at),
    response: result || undefined,
    service: service.name || undefined,
    user: user.name || undefined,
    device: device.name || undefined,
  };
}
