/** A lookup made of what its sources have answered so far: findings, scans in all spellings, validators, and their ages. */
import { type Attempt, failureOf, mostHelpful } from '../codereadr/attempt.js';
import { sameSpelling } from '../codereadr/barcode-equality.js';
import type { CallOptions, Service } from '../codereadr/types.js';
import { defaultScanDays } from '../mirror/index.js';
import type { Relays } from '../relay/index.js';
import type { ReceivingRelays } from '../scans/scan-context.js';
import type { AccountLists, ListPart } from './account-lists.js';
import { callsLeftNow } from './calls-left.js';
import type { SourceAnswers } from './doubts.js';
import { findingOf } from './finding.js';
import { isDeletable } from './headline.js';
import type { BarcodeQuery, Histories, Stream } from './scans/histories.js';
import { firstPiece } from './scans/scan-reading.js';
import { mindsCase, type OtherSpelling, otherSpellings, type SpellingSources, withCase } from './scans/spellings.js';
import type { ScansPart, Sources } from './sources.js';
import { leastOf, summarise } from './summary.js';
import type { AsOf, DatabaseFinding, Lookup, ScanHistory } from './types.js';
import { readValidators } from './validators.js';

/** The relays' functions that a lookup needs. */
export type LookupRelays = ReceivingRelays & Pick<Relays, 'validators'>;

export interface LookupRequest extends BarcodeQuery {
  /** The databases to search, in order; undefined: the first ten of all. */
  readonly databaseIds?: readonly string[] | undefined;
  /** Whether to ask the account for everything, as a person wants fresh answers. */
  readonly live?: boolean | undefined;
  /** Whether the barcode is one of several: its values are then as of the copy, and not confirmed. */
  readonly several?: boolean | undefined;
  /** How many milliseconds a call may wait for the next minute's calls; by default, as many as the client allows. */
  readonly maxWaitMs?: number | undefined;
  /** The person for whom the lookup is. */
  readonly who?: string | undefined;
  /** Aborts the lookup; its calls are aborted when nobody else waits for them. */
  readonly signal?: AbortSignal | undefined;
}

/** A lookup on its way, with the answers of its sources so far. */
export interface Search extends SourceAnswers {
  readonly request: LookupRequest;
  readonly options: CallOptions;
  readonly sources: Sources;
  readonly askedAt: number;
  readonly lists: AccountLists;
}

/** With a `mirror`, a lookup says how old its parts are. */
export interface AssembleDeps extends SpellingSources {
  readonly histories: Histories;
  readonly relays?: LookupRelays | undefined;
}

/** Makes the lookup. `scans`: the scans in the spelling that was asked for. */
export async function assemble(
  deps: AssembleDeps,
  search: Search,
): Promise<{ readonly lookup: Lookup; readonly scans: ScansPart; readonly services: ListPart<Service> | undefined }> {
  const { request, sources, askedAt, values } = search;
  const { list: listed, at: listedAt } = search.listed;
  const { account, value } = request;
  const databases = listed.ok ? listed.value : undefined;
  const findings = values.flatMap((answer) => findingOf(answer, value, databases ?? sources.mirrored) ?? []);
  const databaseNames = databases ?? sources.mirrored;
  const spellingsOfDatabases = ownSpellings(findings);
  const holders = findings.flatMap(({ kind, database: { id } }) =>
    kind === 'known' ? [{ id, mindsCase: mindsCase(databaseNames, id) }] : [],
  );
  const accountScans = search.scans.account.ok ? (search.scans.account.value?.scans ?? []) : [];
  const scansInOtherSpellings = await otherSpellings(
    deps,
    request,
    findings,
    databaseNames,
    accountScans.map((scan) => scan.value),
  );
  const { history, parts } = await readScans(deps, search, scansInOtherSpellings);
  const [asTyped] = parts;
  const { validators, services } = await readValidators(
    history.scans,
    async () => (await deps.relays?.validators(request.owner, [value, ...spellingsOfDatabases], holders)) ?? [],
    {
      mayBeGone: findings.some((finding) => finding.kind === 'known' && finding.valid)
        ? search.lists.areServicesKnown
        : async () => false,
      services: async () => search.services ?? (await search.lists.services.last()),
      gone: search.lists.goneServices,
    },
  );
  const notSearched = databases?.filter((d) => !values.some((answer) => answer.databaseId === d.id));
  const lookup: Lookup = {
    value,
    askedAt,
    findings,
    notAsked: notSearched?.map(({ id, name }) => ({ id, name })),
    listFailed: listed.ok ? undefined : failureOf(listed.error),
    spellings: scansInOtherSpellings
      .map((other) => other.value)
      .filter(
        (other) =>
          spellingsOfDatabases.includes(other) || history.scans.some((scan) => sameSpelling(other, scan.value)),
      ),
    // Other spellings are left out where a database did not answer in time: nothing is sure then.
    history: scanHistory(
      history,
      (values.every(({ rows }) => rows.ok) ? parts : [asTyped]).map((part) => part.account),
    ),
    gates: withCase(validators, findings, databaseNames),
    gatesFailed: services && !services.list.ok ? failureOf(services.list.error) : undefined,
    lists: {
      databases: listed.ok && request.databaseIds === undefined ? listedAt : undefined,
      services: services?.list.ok ? services.at : undefined,
    },
    callsLeft: callsLeftNow(account.client.callsLeft()),
    cost: [...values, ...parts].filter(({ live }) => live).length,
  };
  const asOf = deps.mirror && asOfParts(lookup, search, parts);
  return { lookup: { ...lookup, asOf }, scans: asTyped, services };
}

/** Reads the scans: one walk of the copy, or one of the account's answers for each spelling. */
async function readScans(
  { histories }: AssembleDeps,
  { request, options, sources, scans: asTyped, askedAt, greenMs }: Search,
  otherSpellings: readonly OtherSpelling[],
): Promise<{ readonly history: Stream; readonly parts: readonly [ScansPart, ...ScansPart[]] }> {
  const allSpellings = [request.value, ...otherSpellings.map(({ value }) => value)];
  if (sources.copy && !asTyped.live) {
    const history = await histories.copied({ ...request, spellings: allSpellings }, sources.copy, options);
    if (history) {
      return { history, parts: [asTyped] };
    }
  }
  const { copy } = sources;
  // Nobody is known to have scanned a guessed spelling: the copy's scans tell, unless it is of a few days only.
  const isLong = copy !== undefined && copy.days >= defaultScanDays;
  const copied = { account: { ok: true, value: undefined }, live: false } as const;
  const readParts = await Promise.all([
    asTyped.live ? asTyped : sources.liveScans(request, options),
    ...otherSpellings.map(async ({ value, guessed }): Promise<ScansPart> => {
      if (guessed && isLong) {
        return { ...copied, at: askedAt - copy.at < greenMs ? copy.at : askedAt };
      }
      const part = await sources.liveScans({ ...request, value }, options);
      return guessed && copy && !part.account.ok ? { ...copied, at: copy.at, days: copy.days } : part;
    }),
  ] as const);
  const readings = readParts.map(({ account }) => (account.ok ? account.value : undefined));
  const history = await histories.answered({ ...request, spellings: allSpellings }, readings, firstPiece, options);
  return { history, parts: readParts };
}

/** The age of each part; a failed part has none. */
function asOfParts(lookup: Lookup, { values, greenMs, sources }: Search, scans: readonly ScansPart[]): AsOf {
  const readValues = values.filter(({ rows }) => rows.ok);
  const knownDatabaseIds = lookup.findings.flatMap((finding) => (finding.kind === 'known' ? finding.database.id : []));
  const holdingValues = readValues.filter(({ databaseId }) => knownDatabaseIds.includes(databaseId));
  const aging = readValues.filter((part) => !holdingValues.includes(part) && !part.live && !part.surelyAbsent);
  const days = scans.flatMap((part) => part.days ?? []);
  const oldestAt = {
    values: (holdingValues.length > 0 ? holdingValues : readValues).map(({ at }) => at),
    scans: scans.every(({ account }) => account.ok) ? scans.map(({ at }) => at) : [],
  };
  const mayBeDeleted = lookup.history.scans.some(isDeletable);
  const fullAt = scans.flatMap((part) => (mayBeDeleted && !part.live ? (part.fullAt ?? []) : []));
  const failures = [...values, ...scans].flatMap(({ failure }) => failure ?? []);
  const copying = [...values, ...scans].some(({ live }) => live) ? sources.copying : undefined;
  return {
    values: leastOf(oldestAt.values),
    absent: holdingValues.length > 0 ? leastOf(aging.map(({ at }) => at)) : undefined,
    scans: leastOf(oldestAt.scans),
    fullAt: leastOf(fullAt),
    scanDays: leastOf(days),
    ...(failures.length > 0 ? { unchecked: true, why: failureOf(mostHelpful(failures)) } : {}),
    doubtful: holdingValues.some(({ doubtful }) => doubtful) || undefined,
    copying,
    greenMs,
  };
}

function ownSpellings(findings: readonly DatabaseFinding[]): readonly string[] {
  return [...new Set(findings.flatMap((finding) => (finding.kind === 'known' ? finding.value : [])))];
}

function scanHistory(history: Stream, accounts: readonly Attempt<unknown>[]): ScanHistory {
  const failed = accounts.find((account) => !account.ok);
  if (failed && !failed.ok) {
    return { kind: 'failed', why: failureOf(failed.error), scans: history.scans };
  }
  return {
    kind: 'read',
    scans: history.scans,
    summary: summarise(history.scans, history.complete, history.total),
    more: !history.complete,
  };
}
