/** The moment that counts for readers of a scan: when it was scanned, unless the device's clock was wrong. */

const dayMs = 24 * 60 * 60_000;
const longestBackMs = 10 * 365.25 * dayMs;

/**
 * Milliseconds. A scan that says 10 years before it arrived, or a day after that, counts when it arrived.
 * @param scannedAt undefined: the device says no time that can be read
 */
export function readingMoment(scannedAt: number | undefined, arrivedAt: number): number {
  const isPlausible = scannedAt !== undefined && scannedAt > arrivedAt - longestBackMs && scannedAt < arrivedAt + dayMs;
  return isPlausible ? scannedAt : arrivedAt;
}
