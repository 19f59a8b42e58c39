/**
 * Counts the scans of a report: a relay's, or those that a saved search finds among the scans kept here. The result
 * names the parts that are missing. Counting makes no call but for names.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.js';
import { type OwnerNamesDeps, ownerNames } from '../codereadr/names.js';
import type { Owner } from '../ownership.js';
import type { PlaceFigures, Places } from '../places/index.js';
import type { Relay, Relays } from '../relay/index.js';
import type { ScanRecord, Scans } from '../scans/index.js';
import { receivedStatus } from '../scans/seen-scan.js';
import { type FindScansDeps, findScans, walkOf } from '../search/find-scans.js';
import { matches, type SearchedScan } from '../search/query.js';
import type { SavedSearch } from '../search/saved-searches.js';
import { type DaySpan, type ReportedDays, reportedDays } from './days.js';
import { createFigures, type DayFigures, type FiguresCounter, type ReportScan, reasonText } from './figures.js';
import type { Report } from './report.js';

/** The service or device with the most scans of a day. */
export interface Gate {
  readonly kind: 'service' | 'device';
  readonly name: string;
  readonly scans: number;
}

export interface ReportContent {
  readonly of: { readonly relay: Pick<Relay, 'serviceName'> } | { readonly search: Pick<SavedSearch, 'name'> };
  readonly days: ReportedDays;
  readonly figures: DayFigures;
  /** The figures of the day before; undefined: a part of that day is unknown. */
  readonly before?: DayFigures;
  /** The gate with the most scans; undefined: there is nothing to compare. */
  readonly gate?: Gate;
  readonly gateBefore?: Gate;
  readonly gaps: ReportGaps;
  /** The lists that count who is inside, at the time of counting, `at`; undefined: none, or an old version's report. */
  readonly places?: {
    readonly at: number;
    readonly lists: readonly (Pick<PlaceFigures, 'inside' | 'ins' | 'outs'> & {
      readonly name: string;
      /** Whether scans were still being counted. */
      readonly counting?: boolean;
    })[];
  };
}

/** The parts that the figures lack. */
export interface ReportGaps {
  /** Set if the account's own scans are not kept here. */
  readonly relaysOnly?: true;
  /** The moment up to which the account's scans are known, before the end of the day. */
  readonly knownTo?: number;
  /** The moment since which scans are kept, after the day began. */
  readonly keptSince?: number;
  /** How many scans the relay received that day that were made earlier than the day before (`before`). */
  readonly late?: number;
}

export type MissingPart = 'relay' | 'search' | 'connection';

export type CountReport = (
  report: Report,
  dueAt: number,
  signal?: AbortSignal,
) => Promise<ReportContent | { readonly missing: MissingPart }>;

export interface CountReportDeps extends OwnerNamesDeps, FindScansDeps {
  readonly clock: Clock;
  readonly scans: Pick<Scans, 'walk' | 'countLate' | 'prunedBefore'>;
  readonly relays: Pick<Relays, 'get' | 'validators' | 'secretProperties'>;
  readonly places?: Pick<Places, 'lists' | 'figures'> | undefined;
  readonly savedSearch: (owner: Owner, id: string) => Promise<SavedSearch | undefined>;
}

/** The counted scans. `serviceNames`: by service key, where the scans hold them. `knownSince`: when the scans begin. */
interface CountedReport extends Pick<ReportContent, 'of' | 'gaps'> {
  readonly serviceNames?: ReadonlyMap<string, string>;
  readonly counted: ReturnType<typeof counters>;
  readonly knownSince: number;
}

type Missing = { readonly missing: MissingPart };

/** How far devices' clocks differ: a scan may arrive a little before the time of its device's clock. */
const clocksDifferMs = 10 * 60_000;

export function createCountReport(deps: CountReportDeps): CountReport {
  const { relays } = deps;

  const countRelay = async (
    report: Report,
    id: string,
    days: ReportedDays,
    signal: AbortSignal | undefined,
  ): Promise<CountedReport | Missing> => {
    const state = await relays.get(report.owner, id);
    if (!state) {
      return { missing: 'relay' };
    }
    const { relay } = state;
    const validators = await relays.validators(report.owner);
    const counted = counters(report.zone, days);
    const timeSpan = { from: days.before.from, to: days.day.to };
    for await (const slice of deps.scans.walk(report.owner, undefined, { ...timeSpan, relayId: id })) {
      for (const { at, received } of slice.scans) {
        counted.add(ofRelay(at, received[0]!, receivedStatus(received[0]!, validators)));
      }
      signal?.throwIfAborted();
      await nextTurn();
    }
    const late = await deps.scans.countLate(report.owner, id, days.day, days.before.from - clocksDifferMs);
    const pruned = await deps.scans.prunedBefore();
    return {
      of: { relay: { serviceName: relay.serviceName } },
      counted,
      knownSince: Math.max(pruned, relay.createdAt),
      gaps: {
        ...(pruned > days.day.from ? { keptSince: pruned } : {}),
        ...(late > 0 ? { late } : {}),
      },
    };
  };

  const countSearch = async (
    report: Report,
    id: string,
    days: ReportedDays,
    signal: AbortSignal | undefined,
  ): Promise<CountedReport | Missing> => {
    const search = await deps.savedSearch(report.owner, id);
    if (!search) {
      return { missing: 'search' };
    }
    const apiKey = await deps.store.workspaces.apiKey(report.owner);
    if (apiKey === undefined) {
      return { missing: 'connection' };
    }
    const counted = counters(report.zone, days);
    const timeSpan = { from: days.before.from, to: days.day.to };
    const { slices, copy } = await findScans(deps, {
      owner: report.owner,
      account: deps.accounts.open(apiKey),
      priority: 'background',
      walk: walkOf(search.query, timeSpan.from, timeSpan.to),
    });
    const nameById = new Map<string, string>();
    for await (const { scans } of slices) {
      for (const { searched } of scans) {
        if (matches(search.query, timeSpan, searched)) {
          nameById.set(serviceKey(searched), searched.service.name);
          counted.add(ofSearch(searched));
        }
      }
      signal?.throwIfAborted();
      await nextTurn();
    }
    const keptSince = copy?.since ?? 0;
    return {
      of: { search: { name: search.name } },
      counted,
      knownSince: keptSince,
      serviceNames: nameById,
      gaps: {
        ...(copy ? {} : { relaysOnly: true as const }),
        ...(copy && copy.at < days.day.to ? { knownTo: copy.at } : {}),
        ...(keptSince > days.day.from ? { keptSince } : {}),
      },
    };
  };

  return async (report, dueAt, signal) => {
    const { subject } = report;
    const days = reportedDays(report, dueAt);
    const readCount =
      'relay' in subject
        ? await countRelay(report, subject.relay, days, signal)
        : await countSearch(report, subject.search, days, signal);
    if ('missing' in readCount) {
      return readCount;
    }
    const figures = readCount.counted.day.figures();
    const figuresBefore = readCount.knownSince > days.before.from ? undefined : readCount.counted.before.figures();
    const gates = await gatesOf(deps, report.owner, readCount.serviceNames, figures, figuresBefore);
    const places = await placesOf(deps, report.owner);
    return {
      of: readCount.of,
      days,
      figures,
      ...(figuresBefore ? { before: figuresBefore } : {}),
      ...gates,
      gaps: readCount.gaps,
      ...places,
    };
  };
}

async function placesOf({ places, clock }: CountReportDeps, owner: Owner): Promise<Pick<ReportContent, 'places'>> {
  const counted = ((await places?.lists(owner)) ?? []).filter(({ settings }) => settings.custody === undefined);
  const lists = await Promise.all(
    counted.map(async (list) => {
      const { inside, ins, outs, counting } = await places!.figures(list);
      return { name: list.name, inside, ins, outs, ...(counting ? { counting } : {}) };
    }),
  );
  return lists.length === 0 ? {} : { places: { at: clock.now(), lists } };
}

function counters(zone: string, { day, before }: ReportedDays) {
  const spans: readonly (readonly [DaySpan, FiguresCounter])[] = [
    [day, createFigures(zone)],
    [before, createFigures(zone)],
  ];
  return {
    day: spans[0]![1],
    before: spans[1]![1],
    add(scan: ReportScan): void {
      for (const [span, counter] of spans) {
        if (inSpan(span, scan.at)) {
          counter.add(scan);
        }
      }
    },
  };
}

function inSpan({ from, to }: DaySpan, at: number): boolean {
  return at >= from && at < to;
}

function ofRelay(at: number, scan: ScanRecord, status: ReportScan['status']): ReportScan {
  const { finding, givenText, sid: service, udid: device } = scan;
  const reason = finding === undefined || finding === 'invalid' ? reasonText(givenText ?? '') : { code: finding };
  return { at, status, reason, service, device };
}

function ofSearch(scan: SearchedScan): ReportScan {
  const { at, status, result, device } = scan;
  return {
    at,
    status,
    reason: reasonText(result),
    service: serviceKey(scan) || undefined,
    device: device.name || undefined,
  };
}

/** The key of a service: two services may have one name. */
function serviceKey({ service: { id, name } }: SearchedScan): string {
  return id || name;
}

/** The busiest gate of each day: a service if the days have several, else a device if they have several. */
async function gatesOf(
  deps: OwnerNamesDeps,
  owner: Owner,
  nameById: ReadonlyMap<string, string> | undefined,
  figures: DayFigures,
  dayBefore: DayFigures | undefined,
): Promise<Pick<ReportContent, 'gate' | 'gateBefore'>> {
  const keysOf = (list: 'services' | 'devices') => [
    ...new Set([...figures[list], ...(dayBefore?.[list] ?? [])].map(({ of }) => of)),
  ];
  const listKind = keysOf('services').length > 1 ? 'services' : keysOf('devices').length > 1 ? 'devices' : undefined;
  if (!listKind) {
    return {};
  }
  const kind = listKind === 'services' ? 'service' : 'device';
  const foundNames = nameById ? undefined : await ownerNames(deps, owner, (names) => names.findNames([listKind]));
  const nameOf = (key: string): string => (foundNames?.(kind, key) ?? nameById?.get(key)) || key;
  const shownNames = keysOf(listKind).map(nameOf);
  const distinctName = (key: string): string => {
    const name = nameOf(key);
    return kind === 'service' && shownNames.indexOf(name) !== shownNames.lastIndexOf(name)
      ? `${name} (ID ${key})`
      : name;
  };
  const busiestGate = (day: DayFigures | undefined): Gate | undefined => {
    const [first] = day?.[listKind] ?? [];
    return first && { kind, name: distinctName(first.of), scans: first.count };
  };
  const [gate, gateBefore] = [busiestGate(figures), busiestGate(dayBefore)];
  return { ...(gate ? { gate } : {}), ...(gateBefore ? { gateBefore } : {}) };
}
