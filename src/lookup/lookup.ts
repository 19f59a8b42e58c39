/**
 * The lookup of a barcode: valid or not, in which databases, last scans. From the mirror, where there is one; what
 * would let somebody in, or turn them away as unknown, is asked live while there are calls. A part without an answer is
 * shown as failed; nothing is guessed.
 */

import type { Clock } from '../clock.js';
import { type Attempt, attempt, failureOf, mostHelpful } from '../codereadr/attempt.js';
import { sameSpelling } from '../codereadr/barcode-equality.js';
import { createSingleFlight, type SingleFlight } from '../codereadr/single-flight.js';
import { type Account, AccountError, type CallOptions, type Database, type Service } from '../codereadr/types.js';
import { ownerKey } from '../ownership.js';
import type { Relays } from '../relay/index.js';
import type { Scans } from '../scans/index.js';
import type { ReceivingRelays } from '../scans/scan-context.js';
import { abortAfter } from '../timeout.js';
import { callsLeftNow } from './calls-left.js';
import { doubtsOf, type SourceAnswers } from './doubts.js';
import { findingOf } from './finding.js';
import { defaultGreenMs, headlineOf, isDeletable } from './headline.js';
import type { BarcodeQuery, Histories, Stream } from './scans/histories.js';
import { firstPiece } from './scans/scan-reading.js';
import { type OtherSpelling, otherSpellings, withCase } from './scans/spellings.js';
import { confirmedPart, type LookupMirror, openSources, type ScansPart, type Sources } from './sources.js';
import { summarise } from './summary.js';
import type { AsOf, DatabaseFinding, Lookup, ScanHistory } from './types.js';
import { readValidators } from './validators.js';

/** The most databases a lookup searches: of 30 calls a minute, more would leave nobody else any. */
export const mostDatabases = 10;

/** People with a customer on the line do not wait longer: a part without an answer by then has failed. */
export const timeoutMs = 10_000;

/** How long the account may take to confirm what the mirror says. */
const confirmMs = 2_000;

/** What a lookup asks of relays. */
export type LookupRelays = ReceivingRelays & Pick<Relays, 'validators'>;

export interface LookupRequest extends BarcodeQuery {
  /** Which databases, in which order; undefined: all, up to ten. */
  readonly databaseIds?: readonly string[] | undefined;
  /** Ask the account for everything: somebody wants it anew. */
  readonly live?: boolean | undefined;
  /** One of several barcodes at once: the account is not asked to confirm each of them. */
  readonly several?: boolean | undefined;
  /** How long a call may wait for the next minute's; by default, the client's. */
  readonly maxWaitMs?: number | undefined;
  /** The person who asks. */
  readonly who?: string | undefined;
  /** Aborts the lookup; its calls are aborted when nobody else waits for them. */
  readonly signal?: AbortSignal | undefined;
}

/** Everything one card shows. */
export type LookUp = (request: LookupRequest) => Promise<Lookup>;

export function createLookup(deps: {
  clock: Clock;
  histories: Histories;
  scans: Pick<Scans, 'spellings'>;
  relays?: LookupRelays | undefined;
  mirror?: LookupMirror | undefined;
  greenMs?: number | undefined;
}): LookUp {
  const { greenMs = defaultGreenMs } = deps;
  const flights = new WeakMap<Account, SingleFlight<Lookup>>();

  /** Parts without an answer in time fail as slow; the others are the answer. */
  function search(request: LookupRequest, signal: AbortSignal): Promise<Lookup> {
    const slow = new AccountError('account.slow', 'no answer within the timeout of a lookup');
    return abortAfter(deps.clock, timeoutMs, slow, (late) =>
      searchAll(request, {
        priority: 'person',
        ...(request.maxWaitMs === undefined ? {} : { maxWaitMs: request.maxWaitMs }),
        ...(request.who === undefined ? {} : { who: request.who }),
        signal: AbortSignal.any([signal, late]),
      }),
    );
  }

  async function searchAll(request: LookupRequest, options: CallOptions): Promise<Lookup> {
    const { account } = request;
    const askedAt = deps.clock.now();
    const { clock, histories } = deps;
    const mirror = request.live ? undefined : deps.mirror;
    const sources = await openSources({ clock, histories, mirror, learnInto: deps.mirror }, request);
    const listing = attempt(account.names.databases(options), options.signal);
    const [listed, values, scans] = await Promise.all([
      listing,
      chosenDatabases(request, listing, sources).then((ids) => sources.values(ids, options)),
      sources.scans(options),
    ]);
    const attempts = [...(values.length > 0 ? values.map((part) => part.rows) : [listed]), scans.account];
    const errors = attempts.flatMap((each) => (each.ok ? [] : each.error));
    if (errors.length === attempts.length) {
      throw mostHelpful(errors);
    }
    const { several = false } = request;
    const services = once(() => attempt(account.names.services(options), options.signal));
    const answered = { listed, values, scans, asked: 0, several, greenMs };
    return await confirmed({ ...answered, request, options, sources, services, askedAt });
  }

  /** What lets somebody in, or is not found, is confirmed by the account, step by step. */
  async function confirmed(search: Search): Promise<Lookup> {
    const { lookup, scans: read } = await assemble(search);
    const doubts = doubtsOf(lookup, { ...search, scans: read });
    if (doubts.databaseIds.length === 0 && !doubts.scans) {
      return lookup;
    }
    const { sources, request } = search;
    const given = search.options.signal;
    const slow = new AccountError('account.slow', 'not confirmed in time');
    const [values, scans] = await abortAfter(deps.clock, confirmMs, slow, async (late) => {
      const signal = given ? AbortSignal.any([given, late]) : late;
      const options: CallOptions = { ...search.options, maxWaitMs: 0, signal };
      return await Promise.all([
        Promise.all(doubts.databaseIds.map((id) => sources.liveValues(id, options))),
        doubts.scans ? sources.liveScans(request, options) : undefined,
      ]);
    });
    const failed = scans && !scans.account.ok ? { failure: scans.account.error } : {};
    return await confirmed({
      ...search,
      values: search.values.map((part) => {
        const asked = values.find(({ databaseId }) => databaseId === part.databaseId);
        return asked ? confirmedPart(part, asked) : part;
      }),
      scans: scans?.account.ok ? scans : { ...read, ...failed },
      asked: search.asked + values.length,
    });
  }

  /** One walk of the copy, or one over the account's answers for each spelling. */
  async function readScans(
    { request, options, sources, scans: asTyped, askedAt, greenMs }: Search,
    others: readonly OtherSpelling[],
  ): Promise<{ readonly history: Stream; readonly parts: readonly [ScansPart, ...ScansPart[]] }> {
    const { histories } = deps;
    const all = [request.value, ...others.map(({ value }) => value)];
    if (sources.copy && !asTyped.live) {
      const history = await histories.copied({ ...request, spellings: all }, sources.copy, options);
      if (history) {
        return { history, parts: [asTyped] };
      }
    }
    // One that is a guess has no scans in the copy: that is enough.
    const asked = others.filter(({ guessed }) => !(guessed && sources.copy)).map(({ value }) => value);
    const parts = await Promise.all([
      asTyped.live ? asTyped : sources.liveScans(request, options),
      ...asked.map((value) => sources.liveScans({ ...request, value }, options)),
    ] as const);
    const readings = parts.map(({ account }) => (account.ok ? account.value : undefined));
    const spelled = { ...request, spellings: [request.value, ...asked] };
    const history = await histories.answered(spelled, readings, firstPiece, options);
    const { copy } = sources;
    // The answer is as old as that, unless the account has long not been copied: it is the account's all the same.
    return copy && asked.length < others.length && askedAt - copy.at < greenMs
      ? { history, parts: [...parts, { account: { ok: true, value: undefined }, at: copy.at, live: false }] }
      : { history, parts };
  }

  async function assemble(search: Search): Promise<{ readonly lookup: Lookup; readonly scans: ScansPart }> {
    const { request, sources, askedAt, listed, values } = search;
    const { account, value } = request;
    const databases = listed.ok ? listed.value : undefined;
    const findings = values.flatMap((answer) => findingOf(answer, value, databases ?? sources.mirrored) ?? []);
    const known = databases ?? sources.mirrored;
    const own = ownSpellings(findings);
    const answered = search.scans.account.ok ? (search.scans.account.value?.scans ?? []) : [];
    const others = await otherSpellings(
      deps,
      request,
      findings,
      known,
      answered.map((scan) => scan.value),
    );
    const { history, parts } = await readScans(search, others);
    const [asTyped] = parts;
    const { validators, services } = await readValidators(
      history.scans,
      async () => (await deps.relays?.validators(request.owner, [value, ...own])) ?? [],
      search.services,
    );
    const notSearched = databases?.filter((d) => !values.some((answer) => answer.databaseId === d.id));
    const lookup: Lookup = {
      value,
      askedAt,
      findings,
      ...(notSearched ? { notAsked: notSearched.map(({ id, name }) => ({ id, name })) } : {}),
      ...(listed.ok ? {} : { listFailed: failureOf(listed.error) }),
      spellings: others
        .map((other) => other.value)
        .filter((other) => own.includes(other) || history.scans.some((scan) => sameSpelling(other, scan.value))),
      // Where a database gave no answer in time, nothing is sure, and there was no time for other spellings.
      history: scanHistory(
        history,
        (values.every(({ rows }) => rows.ok) ? parts : [asTyped]).map((part) => part.account),
      ),
      gates: withCase(validators, findings, known),
      ...(services.ok ? {} : { gatesFailed: failureOf(services.error) }),
      callsLeft: callsLeftNow(account.client.callsLeft()),
      cost: [...values, ...parts].filter(({ live }) => live).length,
    };
    return {
      lookup: deps.mirror ? { ...lookup, asOf: asOfParts(lookup, search, parts) } : lookup,
      scans: asTyped,
    };
  }

  return ({ signal, ...request }) => {
    const inFlight = flights.get(request.account) ?? createSingleFlight<Lookup>();
    flights.set(request.account, inFlight);
    const { value, databaseIds = null, live = false, several = false, maxWaitMs = null } = request;
    const key = JSON.stringify([ownerKey(request.owner), value, databaseIds, live, several, maxWaitMs]);
    return inFlight.share(key, signal, (giveUp) => search(request, giveUp));
  };
}

/** A lookup on its way: what each source has answered so far. */
interface Search extends SourceAnswers {
  readonly request: LookupRequest;
  readonly options: CallOptions;
  readonly sources: Sources;
  readonly askedAt: number;
  readonly listed: Attempt<readonly Database[]>;
  /** Read once: while the account does not answer, each reading waits for it. */
  readonly services: () => Promise<Attempt<readonly Service[]>>;
}

function once<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => (answer ??= read());
}

/** What could not be read has no age. */
function asOfParts(lookup: Lookup, { values, greenMs, sources }: Search, scans: readonly ScansPart[]): AsOf {
  const read = values.filter(({ rows }) => rows.ok);
  const known = lookup.findings.flatMap((finding) => (finding.kind === 'known' ? finding.database.id : []));
  const holding = read.filter(({ databaseId }) => known.includes(databaseId));
  const days = scans.flatMap((part) => part.days ?? []);
  // A used barcode is as old as the last search for deleted scans: they come first to those who ask why.
  const headline = headlineOf(lookup);
  const isUsed = headline.kind === 'used' && isDeletable(headline.scan?.scan);
  const ofScan = isUsed ? ({ live, at, fullAt }: ScansPart) => (live ? at : fullAt) : undefined;
  const oldest = {
    values: (holding.length > 0 ? holding : read).map(({ at }) => at),
    scans: scans.every(({ account }) => account.ok)
      ? scans.flatMap((part) => (ofScan ? (ofScan(part) ?? []) : part.at))
      : [],
  };
  const mayBeDeleted = !isUsed && lookup.history.scans.some(isDeletable);
  const fullAt = scans.flatMap((part) => (mayBeDeleted && !part.live ? (part.fullAt ?? []) : []));
  const failures = [...values, ...scans].flatMap(({ failure }) => failure ?? []);
  const copying = [...values, ...scans].some(({ live }) => live) ? sources.copying : undefined;
  return {
    ...(oldest.values.length > 0 ? { values: Math.min(...oldest.values) } : {}),
    ...(oldest.scans.length > 0 ? { scans: Math.min(...oldest.scans) } : {}),
    ...(fullAt.length > 0 ? { fullAt: Math.min(...fullAt) } : {}),
    ...(days.length > 0 ? { scanDays: Math.min(...days) } : {}),
    ...(failures.length > 0 ? { unchecked: true, why: failureOf(mostHelpful(failures)) } : {}),
    ...(holding.some(({ doubtful }) => doubtful) ? { doubtful: true } : {}),
    ...(copying ? { copying } : {}),
    greenMs,
  };
}

/** Chosen databases are searched at once; only "all" has to wait for the list. */
async function chosenDatabases(
  { databaseIds }: LookupRequest,
  listing: Promise<Attempt<readonly Database[]>>,
  { mirrored }: Sources,
): Promise<readonly string[]> {
  if (databaseIds !== undefined) {
    return [...new Set(databaseIds)].slice(0, mostDatabases);
  }
  const listed = await listing;
  return (listed.ok ? listed.value : mirrored).slice(0, mostDatabases).map((database) => database.id);
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
