/**
 * The lookup of a barcode: valid or not, in which databases, last scans. From the mirror, where there is one; what
 * would let somebody in, or turn them away as unknown, is asked live while there are calls. A part without an answer is
 * shown as failed; nothing is guessed.
 */

import type { Clock } from '../clock.js';
import { sameSpelling } from '../codereadr/barcode-equality.js';
import { createSingleFlight, type SingleFlight } from '../codereadr/single-flight.js';
import { type Account, AccountError, type CallOptions, type Database } from '../codereadr/types.js';
import { ownerKey } from '../ownership.js';
import { abortAfter } from '../timeout.js';
import { callsLeftNow } from './calls-left.js';
import { type Attempt, attempt, failureOf, mostHelpful } from './failure.js';
import { findingOf } from './finding.js';
import { headlineOf } from './headline.js';
import type { BarcodeQuery, Histories } from './scans/histories.js';
import type { ReceivedScans } from './scans/received.js';
import { merge, type Stream } from './scans/streams.js';
import { type LookupMirror, openSources, type ScansPart, type Sources, type ValuesPart } from './sources.js';
import { summarise } from './summary.js';
import type { AsOf, DatabaseFinding, Lookup, ScanHistory } from './types.js';
import { readValidators } from './validators.js';

/** The most databases a lookup searches: of 30 calls a minute, more would leave nobody else any. */
export const mostDatabases = 10;

/** People with a customer on the line do not wait longer: a part without an answer by then has failed. */
export const timeoutMs = 10_000;

/** How long the account may take to confirm what the mirror says. */
const confirmMs = 2_000;

export interface LookupRequest extends BarcodeQuery {
  /** Which databases, in which order; undefined: all, up to ten. */
  readonly databaseIds?: readonly string[] | undefined;
  /** Ask the account for everything: somebody wants it anew. */
  readonly live?: boolean | undefined;
  /** How long a call may wait for the next minute's; by default, the client's. */
  readonly maxWaitMs?: number | undefined;
  /** Aborts the lookup; its calls are aborted when nobody else waits for them. */
  readonly signal?: AbortSignal | undefined;
}

/** Everything one card shows. */
export type LookUp = (request: LookupRequest) => Promise<Lookup>;

export function createLookup(deps: {
  clock: Clock;
  histories: Histories;
  received?: Pick<ReceivedScans, 'relayValidators'> | undefined;
  mirror?: LookupMirror | undefined;
}): LookUp {
  const flights = new WeakMap<Account, SingleFlight<Lookup>>();

  /** Parts without an answer in time fail as slow; the others are the answer. */
  function search(request: LookupRequest, signal: AbortSignal): Promise<Lookup> {
    const slow = new AccountError('account.slow', 'no answer within the timeout of a lookup');
    return abortAfter(deps.clock, timeoutMs, slow, (late) =>
      searchAll(request, {
        priority: 'person',
        ...(request.maxWaitMs === undefined ? {} : { maxWaitMs: request.maxWaitMs }),
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
      sources.scans(request, options),
    ]);
    const attempts = [...(values.length > 0 ? values.map((part) => part.rows) : [listed]), scans.account];
    const errors = attempts.flatMap((each) => (each.ok ? [] : each.error));
    if (errors.length === attempts.length) {
      throw mostHelpful(errors);
    }
    const search: Search = { request, options, sources, askedAt, listed, values, scans, unchecked: false };
    return await confirmed(search);
  }

  /** What lets somebody in, or is not found, is confirmed by the account, step by step. */
  async function confirmed(search: Search): Promise<Lookup> {
    const lookup = await assemble(search);
    const doubts = doubtsOf(lookup, search);
    if (search.unchecked || (doubts.databaseIds.length === 0 && !doubts.scans)) {
      return lookup;
    }
    const { sources, request } = search;
    const given = search.options.signal;
    const [values, scans] = await abortAfter(deps.clock, confirmMs, undefined, async (late) => {
      const signal = given ? AbortSignal.any([given, late]) : late;
      const options: CallOptions = { priority: 'person', maxWaitMs: 0, signal };
      return await Promise.all([
        Promise.all(doubts.databaseIds.map((id) => sources.liveValues(id, options))),
        doubts.scans ? sources.liveScans(request, options) : undefined,
      ]);
    });
    const unchecked = values.some(({ rows }) => !rows.ok) || scans?.account.ok === false;
    return await confirmed({
      ...search,
      values: search.values.map(
        (part) => values.find(({ databaseId, rows }) => databaseId === part.databaseId && rows.ok) ?? part,
      ),
      scans: scans?.account.ok ? scans : search.scans,
      unchecked,
    });
  }

  async function assemble(search: Search): Promise<Lookup> {
    const { request, options, sources, askedAt, listed, values, scans: asTyped } = search;
    const { account, value } = request;
    const databases = listed.ok ? listed.value : undefined;
    const findings = values.flatMap((answer) => findingOf(answer, value, databases ?? sources.mirrored) ?? []);
    const spellings = spellingsOf(findings, value, asTyped.streams);
    const asSpelled = await Promise.all(
      spellings.map((spelling) => sources.scans({ ...request, value: spelling }, options)),
    );
    const parts = [asTyped, ...asSpelled];
    const scans = merge(parts.flatMap((part) => part.streams));
    const { validators, services } = await readValidators(
      account,
      scans.scans,
      async () => (await deps.received?.relayValidators?.(request.owner, [value, ...ownSpellings(findings)])) ?? [],
      options,
    );
    const notSearched = databases?.filter((d) => !values.some((answer) => answer.databaseId === d.id));
    return {
      value,
      askedAt,
      findings,
      ...(notSearched ? { notAsked: notSearched.map(({ id, name }) => ({ id, name })) } : {}),
      ...(listed.ok ? {} : { listFailed: failureOf(listed.error) }),
      spellings,
      history: scanHistory(
        scans,
        parts.map((part) => part.account),
      ),
      gates: validators,
      ...(services.ok ? {} : { gatesFailed: failureOf(services.error) }),
      callsLeft: callsLeftNow(account.client.callsLeft()),
      cost: [...values, ...parts].filter(({ live }) => live).length,
      ...(deps.mirror ? { asOf: asOfParts(search, parts, [...values, ...parts]) } : {}),
    };
  }

  return ({ signal, ...request }) => {
    const inFlight = flights.get(request.account) ?? createSingleFlight<Lookup>();
    flights.set(request.account, inFlight);
    const { value, databaseIds = null, live = false } = request;
    const key = JSON.stringify([ownerKey(request.owner), value, databaseIds, live]);
    return inFlight.share(key, signal, (giveUp) => search(request, giveUp));
  };
}

/** A lookup on its way: what each source has answered so far. */
interface Search {
  readonly request: LookupRequest;
  readonly options: CallOptions;
  readonly sources: Sources;
  readonly askedAt: number;
  readonly listed: Attempt<readonly Database[]>;
  readonly values: readonly ValuesPart[];
  readonly scans: ScansPart;
  /** The account did not confirm what it was asked for. */
  readonly unchecked: boolean;
}

/** What the account has to confirm: where the barcode is held and its scans, or that no database has it. */
function doubtsOf(lookup: Lookup, { values, scans }: Search): { databaseIds: readonly string[]; scans: boolean } {
  const { kind } = headlineOf(lookup);
  const recalled = values.filter(({ live }) => !live).map(({ databaseId }) => databaseId);
  if (kind === 'unknown') {
    return { databaseIds: recalled, scans: false };
  }
  if (kind !== 'no_admission' && kind !== 'incomplete') {
    return { databaseIds: [], scans: false };
  }
  const holding = lookup.findings.filter((finding) => finding.kind === 'known').map(({ database }) => database.id);
  return { databaseIds: recalled.filter((id) => holding.includes(id)), scans: !scans.live };
}

/** What could not be read has no age. */
function asOfParts(
  { values, unchecked, sources }: Search,
  scans: readonly ScansPart[],
  parts: readonly { readonly live: boolean }[],
): AsOf {
  const doubtful = unchecked || values.some((part) => part.doubtful);
  const days = scans.flatMap((part) => part.days ?? []);
  const oldest = {
    values: values.filter(({ rows }) => rows.ok).map(({ at }) => at),
    scans: scans.every(({ account }) => account.ok) ? scans.map(({ at }) => at) : [],
  };
  const copying = parts.some(({ live }) => live) ? sources.copying : undefined;
  return {
    ...(oldest.values.length > 0 ? { values: Math.min(...oldest.values) } : {}),
    ...(oldest.scans.length > 0 ? { scans: Math.min(...oldest.scans) } : {}),
    ...(days.length > 0 ? { scanDays: Math.min(...days) } : {}),
    ...(doubtful ? { unchecked: true } : {}),
    ...(copying ? { copying } : {}),
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

/** How many other spellings' scans are worth a call each. */
const mostSpellings = 2;

/**
 * The spellings in case-insensitive databases: the barcode's scans may be filed under one, and "never scanned" would be
 * wrong.
 */
function spellingsOf(findings: readonly DatabaseFinding[], value: string, read: readonly Stream[]): readonly string[] {
  const foundAnyway = new Set(read.flatMap((stream) => stream.scans).map((scan) => scan.value));
  return ownSpellings(findings)
    .filter((spelling) => !sameSpelling(spelling, value) && !foundAnyway.has(spelling))
    .slice(0, mostSpellings);
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
