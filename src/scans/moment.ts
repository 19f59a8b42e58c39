/** The moment that counts for readers of a scan: when it was scanned, unless the device's clock was wrong. */

const dayMs = 24 * 60 * 60_000;
const longestBackMs = 10 * 365.25 * dayMs;

/**
 * The moment in milliseconds. A scan with a time 10 years before its arrival, or a day after it, counts at its arrival.
 * @param scannedAt undefined: the device sent no time that can be parsed
 */
export function readingMoment(scannedAt: number | undefined, arrivedAt: number): number {
  const isPlausible = scannedAt !== undefined && scannedAt > arrivedAt - longestBackMs && scannedAt < arrivedAt + dayMs;
  return isPlausible ? scannedAt : arrivedAt;
}
