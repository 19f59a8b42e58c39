/** Device pages of a relay: the device's latest scans, and a barcode look-up. GET only, with the page's own secret. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.js';
import { ownerNames } from '../codereadr/names.js';
import type { Accounts } from '../codereadr/types.js';
import { isStorableText } from '../database/bind-values.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import type { Owner } from '../ownership.js';
import { readForm } from '../relay/postback/form.js';
import { createRateLimit, type RateOptions } from '../relay/postback/rate-limit.js';
import { createRelaysById } from '../relay/record/by-id.js';
import { readSettings, toReceivedScan } from '../relay/record/relay.js';
import type { RelaySettings } from '../relay/record/settings.js';
import { zoneOfRule } from '../relay/rules/route.js';
import { createScanStore, mostSearched, type ScanRecord, utcMoment } from '../scans/received/received-scan-rows.js';
import { deviceZone } from '../schedules/zones.js';
import type { Store } from '../workspaces/types.js';
import type { PageAccess, PageKind } from './access.js';
import { historyPage, mostShown, type PageScan, whichDevicePage } from './history.js';
import { type KnownBarcode, type LookupProblem, lookupPage, readTyped } from './lookup.js';
import { notePage, type Page, sendPage } from './page.js';

export { createPageAccess, type PageAccess, type PagePaths } from './access.js';
export type { KnownBarcode } from './lookup.js';

/** The limits of each relay: a history costs a database read; a lookup, account calls, which everybody shares. */
const usualRates: Record<PageKind, RateOptions> = {
  history: { perSecond: 5, burst: 60 },
  lookup: { perSecond: 0.5, burst: 10 },
};

const longestBarcode = 4_500;
const longestUdid = 1_000;
/** How many scans are read to find a relay's devices. */
const scansRead = 300;
const mostDevices = 20;
/** How many scans are read to find the zone of a look-up. */
const zoneScans = 10;

const gonePage = notePage(
  'Page not found',
  'This link isn’t valid or was revoked. Ask whoever set up your scanner for a new one.',
);
const failedPage = notePage('Something went wrong', 'It’s a problem on our end. Try again in a moment.');
const readOnlyPage = notePage('This page is read-only', 'Open its link again.');

export function createPages(deps: {
  readonly store: Store;
  readonly access: PageAccess;
  readonly accounts: Pick<Accounts, 'open'>;
  /**
   * The lookup. Undefined: no account is connected.
   * @throws AccountError if no part of the lookup was answered
   */
  readonly lookUp: (owner: Owner, value: string) => Promise<KnownBarcode | undefined>;
  readonly clock: Clock;
  readonly log: Log;
  readonly rate?: Partial<Record<PageKind, RateOptions>>;
}) {
  const { store, access, clock, log } = deps;
  const scans = createScanStore(store.db);
  const relays = createRelaysById(store.db);
  const findNames = (owner: Owner) =>
    ownerNames(deps, owner, (names) => names.findNames(['devices', 'services', 'users']));
  const rates = { ...usualRates, ...deps.rate };
  const limits = {
    history: createRateLimit({ clock, ...rates.history }),
    lookup: createRateLimit({ clock, ...rates.lookup }),
  };

  const history = async (owner: Owner, relayId: string, udid: string | undefined): Promise<Page> => {
    const now = clock.now();
    if (udid === undefined) {
      const [found, nameOf] = await Promise.all([
        scans.ofRelay(owner, relayId, { limit: scansRead }),
        findNames(owner),
      ]);
      return whichDevicePage({ devices: devicesOf(found.scans), nameOf, now });
    }
    const [found, relay, nameOf] = await Promise.all([
      scans.ofRelay(owner, relayId, { limit: mostShown + 1, udid }),
      relays.find(relayId),
      findNames(owner),
    ]);
    const settings = relay && readSettings(relay.settings);
    const validates = settings !== undefined && settings.judging.kind !== 'accept';
    const searched = found.isAll ? undefined : mostSearched;
    const zone = zoneOf(found.scans, settings);
    return historyPage({ udid, scans: found.scans.map(pageScan), searched, validates, nameOf, now, zone });
  };

  const lookup = async (owner: Owner, relayId: string, query: Query, res: ServerResponse): Promise<void> => {
    const { value, udid } = query;
    const barcode = value === undefined ? undefined : readTyped(value);
    const shell = { barcode, udid, now: clock.now() };
    const refuse = (problem: LookupProblem, status: number, headers = {}) =>
      sendPage(res, lookupPage({ ...shell, problem }), status, headers);
    if (query.broken) {
      return refuse('unreadable', 400);
    }
    if (barcode === undefined || barcode === '') {
      return sendPage(res, lookupPage(shell));
    }
    if (barcode.length > longestBarcode || !isStorableText(barcode)) {
      return refuse(barcode.length > longestBarcode ? 'too_long' : 'unreadable', 400);
    }
    if (!limits.lookup(relayId)) {
      return refuse('busy', 429, { 'retry-after': '5' });
    }
    try {
      const knownBarcode = await deps.lookUp(owner, barcode);
      if (knownBarcode === undefined) {
        return refuse('not_connected', 503);
      }
      const [found, relay] = await Promise.all([
        scans.ofRelay(owner, relayId, { limit: zoneScans, ...(udid === undefined ? {} : { udid }) }),
        relays.find(relayId),
      ]);
      const zone = zoneOf(found.scans, relay && readSettings(relay.settings));
      sendPage(res, lookupPage({ ...shell, now: clock.now(), known: knownBarcode, zone }));
    } catch (error) {
      const code = codeOf(error);
      if (!code.startsWith('account.')) {
        throw error;
      }
      log.info({ code, relay: relayId }, 'a page could not look a barcode up');
      refuse(code === 'account.quota' ? 'calls' : 'account', 503, { 'retry-after': '30' });
    }
  };

  const showPage = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const [, relayId, secret, kind, search] =
      /^\/pages\/([\w-]{1,64})\/([\w-]{1,128})\/(history|lookup)(?:\?(.*))?$/s.exec(req.url ?? '') ?? [];
    if (relayId === undefined || secret === undefined) {
      return sendPage(res, gonePage, 404);
    }
    if (req.method !== 'GET') {
      return sendPage(res, readOnlyPage, 405, { allow: 'GET' });
    }
    const visit = await access.enter(relayId, secret);
    if (visit === undefined || visit.kind !== kind) {
      return sendPage(res, gonePage, 404);
    }
    const query = readQuery(search ?? '');
    if (visit.kind === 'lookup') {
      return lookup(visit.owner, relayId, query, res);
    }
    if (!limits.history(relayId)) {
      const busy = notePage('One moment', 'Too many requests. Reload the page in a few seconds.');
      return sendPage(res, busy, 429, { 'retry-after': '2' });
    }
    sendPage(res, await history(visit.owner, relayId, query.udid));
  };

  return {
    /** Handles every request under `/pages/`. Never rejects. */
    async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
      try {
        await showPage(req, res);
      } catch (error) {
        log.error({ err: error, code: codeOf(error) }, 'a page could not be shown');
        if (res.headersSent) {
          res.destroy();
        } else {
          sendPage(res, failedPage, 503, { 'retry-after': '5' });
        }
      }
    },
  };
}

type Query = { readonly value?: string | undefined; readonly udid?: string | undefined; readonly broken?: boolean };

/** Reads the query as strictly as a scan's body: a guess would look up another barcode. */
function readQuery(search: string): Query {
  try {
    const variables = new Map(readForm(Buffer.from(search, 'latin1')).reverse());
    const udid = variables.get('udid');
    return { value: variables.get('value'), udid: udid && udid.length <= longestUdid ? udid : undefined };
  } catch {
    return { broken: true };
  }
}

function pageScan(record: ScanRecord): PageScan {
  const scan = toReceivedScan(record);
  return { ...scan, at: utcMoment(scan.scannedAtUtc) ?? scan.receivedAt };
}

/** The zone of a page: that of the newest scan that names one, else of the relay's hours or its rules'. */
function zoneOf(found: readonly ScanRecord[], settings: RelaySettings | undefined): string | undefined {
  const [sent] = found.flatMap((record) => deviceZone(toReceivedScan(record).properties) ?? []);
  return sent ?? settings?.hours?.zone ?? settings?.rules.map(zoneOfRule).find((zone) => zone !== undefined);
}

/** The relay's devices, the one with the newest scan first. */
function devicesOf(found: readonly ScanRecord[]): readonly { udid: string; lastAt: number }[] {
  const lastScanAt = new Map<string, number>();
  for (const scan of found) {
    if (scan.udid !== undefined && !lastScanAt.has(scan.udid)) {
      lastScanAt.set(scan.udid, scan.receivedAt);
    }
  }
  return [...lastScanAt].slice(0, mostDevices).map(([udid, lastAt]) => ({ udid, lastAt }));
}
