/** A naive model of limits within a time: it keeps every admission, and counts all of them for each scan. */
import fc from 'fast-check';
import { fold } from '../../../src/codereadr/barcode-equality.js';
import { type RelaySettings, relaySettingsSchema } from '../../../src/relay/record/settings.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const lateHours = 24;

export interface ScheduledScan {
  readonly tid: string;
  readonly userid: string;
  /** Milliseconds since the scan before it came. */
  readonly after: number;
  /** Minutes from when it was made until it came, by the device's clock; negative: the clock is ahead. */
  readonly lag: number;
  readonly status: string | undefined;
}

export interface ArrivedScan extends ScheduledScan {
  readonly receivedAt: number;
  readonly madeAt: number;
}

const scheduledScan: fc.Arbitrary<ScheduledScan> = fc.record({
  tid: fc.constantFrom('00123', '123', 'abc', 'ABC'),
  userid: fc.constantFrom('7', '8'),
  after: fc.oneof(
    fc.constantFrom(0, 0, 0, 400, 1_001, minute, 2 * minute, 10 * minute, hour),
    fc.integer({ min: 0, max: 40 * minute }),
  ),
  lag: fc.oneof(
    fc.constantFrom(0, 0, 0, -90, 5, 10, 11, 12, 20, 60, 61, 120, 240, 24 * 60, 24 * 60 + 1, 30 * 60),
    fc.integer({ min: 0, max: 26 * 60 }),
  ),
  status: fc.constantFrom(...Array<undefined>(9).fill(undefined), '1', '0', '-1'),
});

const minutes = fc.constantFrom(1, 2, 10, 60, 240);
export const valueLimits = fc.record(
  {
    duplicates: fc.record({ withinMinutes: minutes }, { requiredKeys: [] }),
    atMost: fc.record(
      { n: fc.integer({ min: 1, max: 3 }), of: fc.constant('value' as const), withinMinutes: minutes },
      { requiredKeys: ['n', 'of'] },
    ),
  },
  { requiredKeys: [] },
);
export const anyLimits = fc.oneof(
  valueLimits,
  fc.record(
    {
      duplicates: fc.record({ withinMinutes: minutes }),
      atMost: fc.record({
        n: fc.integer({ min: 1, max: 4 }),
        of: fc.constant('relay' as const),
        withinMinutes: minutes,
      }),
    },
    { requiredKeys: ['atMost'] },
  ),
);

/** Batches in the order in which they are committed. */
export const schedule = fc.array(fc.array(scheduledScan, { minLength: 1, maxLength: 9 }), {
  minLength: 1,
  maxLength: 7,
});

/** Two spellings of `abc` are one value; all values are valid but for limits. */
export function settingsWith(limits: object): RelaySettings {
  const judging = { kind: 'list', values: ['00123', '123', 'abc'], exact: false };
  return relaySettingsSchema.parse({ judging, ...limits });
}

export interface AdmissionModel {
  /** The result code that the scan must get; remembers it if it is admitted. */
  take(scan: ArrivedScan): string;
  readonly admitted: readonly { readonly tid: string; readonly at: number }[];
}

export function createAdmissionModel(initial: RelaySettings): AdmissionModel & { settings: RelaySettings } {
  const admitted: { tid: string; at: number }[] = [];
  const model = {
    settings: initial,
    admitted,
    take(scan: ArrivedScan): string {
      const late = scan.receivedAt - scan.madeAt > 10 * minute;
      const at = late ? scan.madeAt : scan.receivedAt;
      const finding = findingOf(scan, at);
      if (finding === 'valid') {
        admitted.push({ tid: fold(scan.tid), at });
      }
      return finding;
    },
  };
  const findingOf = ({ tid, status, receivedAt }: ArrivedScan, at: number): string => {
    if (status === '1' || status === '0') {
      return status === '1' ? 'valid' : 'invalid';
    }
    const { duplicates, atMost } = model.settings;
    const count = (of: string, within?: number) =>
      admitted.filter(
        (one) =>
          (of === 'relay' || one.tid === fold(tid)) &&
          (within === undefined || Math.abs(one.at - at) < within * minute),
      ).length;
    const tooLate = receivedAt - at > lateHours * hour;
    let unsure = false;
    for (const { code, n, of, withinMinutes } of [
      ...(duplicates ? [{ code: 'duplicate', n: 1, of: 'value', ...duplicates }] : []),
      ...(atMost ? [{ code: 'limit', ...atMost }] : []),
    ]) {
      if (tooLate && withinMinutes !== undefined) {
        unsure = true;
      } else if (count(of, withinMinutes) >= n) {
        return code;
      }
    }
    return unsure ? 'too_late' : 'valid';
  };
  return model;
}

/** Whether somewhere a time of so many minutes holds more than `n` of the moments. */
export function holdsMoreThan(n: number, withinMinutes: number, moments: readonly number[]): boolean {
  const inOrder = [...moments].sort((a, b) => a - b);
  return inOrder.some((at, place) => (inOrder[place + n] ?? Number.POSITIVE_INFINITY) - at < withinMinutes * minute);
}
