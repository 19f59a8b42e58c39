/**
 * A test scan shows whether a relay works. Scandesk sends it over HTTP like a device's, marked by a property and a
 * barcode prefix. The scan is always valid and always posted in the relay's channel; it is never counted, looked up or
 * matched with rules.
 */
import type { Clock, Random } from '../../clock.js';
import { codeOf } from '../../errors.js';
import { isTestScan, testPrefix, testProperty } from '../../scans/received/test-scan.js';
import type { Decide, IncomingScan } from '../commit/index.js';
import type { RelaySettings } from '../record/settings.js';

const testText = 'This relay works';

/** Decides test scans; `decide` decides all other scans. */
export function withTestScans<Ahead>(decide: Decide<Ahead>): Decide<Ahead> {
  return (scan: IncomingScan<Ahead>, relay, facts) =>
    isTestScan(scan)
      ? {
          finding: 'valid',
          valid: true,
          text: testText,
          late: false,
          uncounted: true,
          posts: [{ channel: relay.channel }],
        }
      : decide(scan, relay, facts);
}

export type TestOutcome =
  /** The relay accepted the scan. `value`: the scan's barcode. */
  | { readonly outcome: 'answered'; readonly value: string; readonly ms: number }
  /** The relay's own checks, or a proxy in front of it, refused the scan with this status. */
  | { readonly outcome: 'refused'; readonly value: string; readonly status: number }
  /** Nothing answered at the URL, or a server that is not a relay. */
  | { readonly outcome: 'unreachable'; readonly value: string; readonly code: string };

export interface TestScanOptions {
  readonly serviceId?: string;
  readonly names: RelaySettings['names'];
}

/**
 * Posts a test scan as a device does: over HTTP, to the public address, under the names of the relay's template.
 * `path`: with the secret in it.
 */
type SendTestScan = (path: string, as: TestScanOptions) => Promise<TestOutcome>;

/** How long a test scan waits for its answer: less than a device does. */
const timeoutMs = 10_000;
/** The letters of a test barcode, which people read out: none looks like another. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

export function createSendTestScan(deps: { publicUrl: string; clock: Clock; random: Random }): SendTestScan {
  const { publicUrl, clock, random } = deps;
  return async (path, { serviceId, names }) => {
    const value = testPrefix + Array.from(random.bytes(6), (byte) => letters[byte % letters.length]).join('');
    const startedAt = clock.now();
    try {
      const response = await fetch(new URL(path, publicUrl), {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'user-agent': 'Scandesk test scan' },
        body: new URLSearchParams({
          [names.tid ?? 'tid']: value,
          ...(serviceId === undefined ? {} : { [names.sid ?? 'sid']: serviceId }),
          [names.udid ?? 'udid']: 'scandesk-test',
          [names.scanned_at_utc ?? 'scanned_at_utc']: new Date(startedAt).toISOString().slice(0, 19).replace('T', ' '),
          [testProperty]: '1',
        }),
      });
      const text = await response.text();
      if (response.status !== 200) {
        return { outcome: 'refused', value, status: response.status };
      }
      return text.includes('<message>') && text.includes(testText)
        ? { outcome: 'answered', value, ms: Math.max(0, clock.now() - startedAt) }
        : { outcome: 'unreachable', value, code: 'no_relay' };
    } catch (error) {
      return { outcome: 'unreachable', value, code: causeOf(error) };
    }
  };
}

/** The reason of a failed `fetch`, which hides it in `cause`. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = codeOf(cause);
  return code === 'unknown' && error instanceof Error ? error.name : code;
}
