/** Scans in a time zone that the account does not list: requested in UTC, with dates and times converted both ways. */
import { DateTime } from 'luxon';
import type { RecordedScan } from '../types.js';
import type { Adapted } from './operation.js';
import { listedZone, utcZone } from './zones.js';

const date = 'yyyy-MM-dd';
const time = 'HH:mm:ss';

type Values = Readonly<Record<string, unknown>>;

/** The request in UTC; undefined where the account supports the zone. */
export function requestInUtc<Out extends { readonly scans: readonly RecordedScan[] }>(
  input: Values,
): Adapted<Out> | undefined {
  const zone = input.timezone;
  if (typeof zone !== 'string' || zone === '' || zone === 'account' || listedZone(zone) !== undefined) {
    return undefined;
  }
  return {
    input: {
      ...input,
      timezone: utcZone,
      ...boundInUtc(input, 'start', '00:00:00', zone),
      ...boundInUtc(input, 'end', '23:59:59', zone),
    },
    output: (out) => ({ ...out, scans: out.scans.map((scan) => inZone(scan, zone)) }),
  };
}

/** A search's bound in UTC. A date without a time is the whole day, which begins and ends at other hours in UTC. */
function boundInUtc(input: Values, bound: 'start' | 'end', wholeDay: string, zone: string): Values {
  const day = input[`${bound}_date`];
  if (typeof day !== 'string' || day === '') {
    return {};
  }
  const at = DateTime.fromFormat(`${day} ${String(input[`${bound}_time`] || wholeDay)}`, `${date} ${time}`, { zone });
  const utc = at.toUTC();
  return { [`${bound}_date`]: utc.toFormat(date), [`${bound}_time`]: utc.toFormat(time) };
}

function inZone(scan: RecordedScan, zone: string): RecordedScan {
  const { timestampReceived, timestampModified } = scan;
  return {
    ...scan,
    timestamp: convert(scan.timestamp, zone),
    ...(timestampReceived === undefined ? {} : { timestampReceived: convert(timestampReceived, zone) }),
    ...(timestampModified === undefined ? {} : { timestampModified: convert(timestampModified, zone) }),
  };
}

/** A time in UTC, converted to the zone. A text that is not a time is returned unchanged. */
function convert(stamp: string, zone: string): string {
  const at = DateTime.fromFormat(stamp, `${date} ${time}`, { zone: 'utc' });
  return at.isValid ? at.setZone(zone).toFormat(`${date} ${time}`) : stamp;
}
