/** The figures of one day: totals by result and hour, refusals by reason, services and devices. Bounded. Pure. */
import type { SearchedScan } from '../search/query.js';
import { createTotals, type SearchTotals } from '../search/totals.js';

/** A reason: a result code of a relay, or the text of a response. */
export type Reason = { readonly code: string } | { readonly text: string };

export interface ReportScan {
  readonly at: number;
  readonly status: SearchedScan['status'];
  /** The reason why the scan is not valid. */
  readonly reason?: Reason;
  readonly service?: string | undefined;
  readonly device?: string | undefined;
}

export interface CountOf<Item> {
  readonly of: Item;
  readonly count: number;
}

export interface DayFigures {
  readonly totals: SearchTotals;
  /** The reasons, the most frequent first. */
  readonly reasons: readonly CountOf<Reason>[];
  /** The services, by ids or names, as the scans distinguish them; the most frequent first. */
  readonly services: readonly CountOf<string>[];
  readonly devices: readonly CountOf<string>[];
}

/** The most different reasons, services or devices that are counted: those first met after these are left out. */
const mostKinds = 2_000;
const longestReason = 120;

export function createFigures(zone: string) {
  const totals = createTotals('hour', zone);
  const reasons = createTally();
  const services = createTally();
  const devices = createTally();
  return {
    add(scan: ReportScan): void {
      totals.add(scan);
      if (scan.status === 'invalid') {
        reasons.add(JSON.stringify(scan.reason ?? { code: 'invalid' }));
      }
      services.add(scan.service);
      devices.add(scan.device);
    },
    figures: (): DayFigures => ({
      totals: totals.totals(),
      reasons: reasons.counts().map(({ of, count }) => ({ of: JSON.parse(of) as Reason, count })),
      services: services.counts(),
      devices: devices.counts(),
    }),
  };
}

export type FiguresCounter = ReturnType<typeof createFigures>;

/** The reason in a response, without the parts that differ from scan to scan: times, numbers, barcodes. */
export function reasonText(response: string): Reason {
  const text = response
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\d[\d:./,-]*\d/g, '…');
  return text === '' || text === '…' ? { code: 'invalid' } : { text: [...text].slice(0, longestReason).join('') };
}

function createTally() {
  const counts = new Map<string, number>();
  return {
    add(key: string | undefined): void {
      if (key !== undefined && (counts.has(key) || counts.size < mostKinds)) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    },
    counts: (): CountOf<string>[] =>
      [...counts].map(([of, count]) => ({ of, count })).sort((a, b) => b.count - a.count || (a.of < b.of ? -1 : 1)),
  };
}
