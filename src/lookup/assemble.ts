/** A lookup made of what its sources have answered so far: facts with their ages, and the validators. */
import { failureOf, mostHelpful } from '../codereadr/attempt.js';
import { sameSpelling } from '../codereadr/barcode-equality.js';
import type { CallOptions, Database, Service } from '../codereadr/types.js';
import { defaultScanDays } from '../mirror/index.js';
import type { Relays } from '../relay/index.js';
import type { Scans } from '../scans/index.js';
import type { ReceivingRelays } from '../scans/scan-context.js';
import type { AccountLists, ListPart } from './account-lists.js';
import { callsLeftNow } from './calls-left.js';
import { isDeletable } from './checked-scans.js';
import { type DatabaseAnswer, findingOf } from './finding.js';
import type { BarcodeQuery, Histories, Stream } from './scans/histories.js';
import { firstPiece } from './scans/scan-reading.js';
import { mindsCase, type OtherSpelling, otherSpellings, type SpellingSources, withCase } from './scans/spellings.js';
import type { ScansPart, Sources } from './sources.js';
import { leastOf, summarise } from './summary.js';
import type { DatabaseFinding, Fact, Lookup, ScanHistory } from './types.js';
import { readValidators } from './validators.js';
import { defaultGreenMs } from './worlds.js';

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
export interface Search {
  readonly request: LookupRequest;
  readonly listed: ListPart<Database>;
  /** Undefined: no scan of the barcode can have been checked by a service. */
  readonly services: ListPart<Service> | undefined;
  readonly values: readonly DatabaseAnswer[];
  readonly scans: ScansPart;
  /** How many calls the lookup took so far to confirm its copies. */
  readonly asked: number;
  readonly options: CallOptions;
  readonly sources: Sources;
  readonly askedAt: number;
  readonly lists: AccountLists;
}

/** `greenMs`: with a `mirror`, the age up to which facts stand where the account does not answer. */
export interface AssembleDeps extends SpellingSources {
  readonly scans: Pick<Scans, 'spellings' | 'serviceStates'>;
  readonly histories: Histories;
  readonly greenMs?: number | undefined;
  readonly relays?: LookupRelays | undefined;
}

/** Makes the lookup. `scans`: the scans in the spelling that was asked for. */
export async function assemble(
  deps: AssembleDeps,
  search: Search,
): Promise<{ readonly lookup: Lookup; readonly scans: ScansPart; readonly services: ListPart<Service> | undefined }> {
  const { request, sources, askedAt, values } = search;
  const { list: listed } = search.listed;
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
  const { history: found, parts } = await readScans(deps, search, scansInOtherSpellings);
  const [asTyped] = parts;
  const { validators, services, scans } = await readValidators(
    found.scans,
    askedAt,
    async () => (await deps.relays?.validators(request.owner, [value, ...spellingsOfDatabases], holders)) ?? [],
    {
      mayBeGone: findings.some((finding) => finding.kind === 'known' && finding.valid)
        ? search.lists.areServicesKnown
        : async () => false,
      services: async () => search.services ?? (await search.lists.services.last()),
      states: (list) => deps.scans.serviceStates(request.owner, list),
    },
  );
  const history = { ...found, scans };
  const notSearched = databases?.filter((d) => !values.some((answer) => answer.databaseId === d.id));
  const isCopying = [...values, ...parts].some(({ source }) => source === 'account');
  const lookup: Lookup = {
    value,
    askedAt,
    findings,
    notAsked: notSearched?.map(({ id, name }) => ({ id, name })),
    spellings: scansInOtherSpellings
      .map((other) => other.value)
      .filter(
        (other) =>
          spellingsOfDatabases.includes(other) || history.scans.some((scan) => sameSpelling(other, scan.value)),
      ),
    // Other spellings are left out where a database did not answer in time: nothing is sure then.
    history: scanHistory(history, values.every(({ rows }) => rows.ok) ? parts : [asTyped]),
    gates: withCase(validators, findings, databaseNames),
    lists: {
      databases: request.databaseIds === undefined ? factOfDatabases(search) : undefined,
      services: services && factOfList(services),
    },
    greenMs: deps.mirror && (deps.greenMs ?? defaultGreenMs),
    copying: deps.mirror && isCopying ? sources.copying : undefined,
    callsLeft: callsLeftNow(account.client.callsLeft()),
    cost: [...values, ...parts].filter(({ source }) => source === 'account').length,
  };
  return { lookup, scans: asTyped, services };
}

/** The list of databases; where the account never gave one, that of the mirror. */
function factOfDatabases({ listed, sources }: Search): Fact {
  const fact = factOfList(listed);
  return fact.whole || sources.mirrored.length === 0
    ? fact
    : { ...fact, at: sources.mirroredAt, whole: true, source: 'copy' };
}

function factOfList({ list, at }: ListPart<unknown>): Fact {
  return { at, whole: list.ok, source: 'account', ...(list.ok ? {} : { failure: failureOf(list.error) }) };
}

/** Reads the scans: one walk of the copy, or one of the account's answers for each spelling. */
async function readScans(
  { histories, greenMs = defaultGreenMs }: AssembleDeps,
  { request, options, sources, scans: asTyped, askedAt }: Search,
  otherSpellings: readonly OtherSpelling[],
): Promise<{ readonly history: Stream; readonly parts: readonly [ScansPart, ...ScansPart[]] }> {
  const allSpellings = [request.value, ...otherSpellings.map(({ value }) => value)];
  if (sources.copy && asTyped.source === 'copy') {
    const history = await histories.copied({ ...request, spellings: allSpellings }, sources.copy, options);
    if (history) {
      return { history, parts: [asTyped] };
    }
  }
  const { copy } = sources;
  // Nobody is known to have scanned a guessed spelling: the copy's scans tell, unless it is of a few days only.
  const isLong = copy !== undefined && copy.days >= defaultScanDays;
  const copied = { account: { ok: true, value: undefined }, source: 'copy' } as const;
  const readParts = await Promise.all([
    asTyped.source === 'account' ? asTyped : sources.liveScans(request, options),
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

function ownSpellings(findings: readonly DatabaseFinding[]): readonly string[] {
  return [...new Set(findings.flatMap((finding) => (finding.kind === 'known' ? finding.value : [])))];
}

/** The scans as one fact: as old as the oldest part, and as far back as the shortest. */
function scanHistory(history: Stream, parts: readonly ScansPart[]): ScanHistory {
  const least = (times: readonly (number | undefined)[]) => leastOf(times.flatMap((each) => each ?? []));
  const { scans, complete } = history;
  const days = least(parts.map((part) => part.days));
  // Guessed spellings may be read from the copy all the same.
  const fact = { at: least(parts.map(({ at }) => at))!, source: parts[0]!.source };
  const failed = parts.flatMap(({ account }) => (account.ok ? [] : account.error))[0];
  if (failed) {
    return { kind: 'failed', ...fact, whole: false, failure: failureOf(failed), scans };
  }
  const failures = parts.flatMap(({ failure }) => failure ?? []);
  return {
    kind: 'read',
    ...fact,
    whole: complete && days === undefined,
    days,
    scans,
    more: !complete,
    ...(failures.length > 0 ? { failure: failureOf(mostHelpful(failures)) } : {}),
    fullAt: scans.some(isDeletable) ? least(parts.map((part) => part.fullAt)) : undefined,
    summary: summarise(scans, complete, history.total),
  };
}
