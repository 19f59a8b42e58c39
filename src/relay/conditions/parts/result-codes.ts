/** Result codes of a validated scan; the text and color of the device's answer depend on them. */
export const resultCodes = [
  'valid',
  'invalid',
  'duplicate',
  'outside_hours',
  'limit',
  'too_late',
  'unknown_accepted',
  'unknown_rejected',
] as const;
export type ResultCode = (typeof resultCodes)[number];
