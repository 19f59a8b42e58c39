/**
 * The lookup of a barcode: valid or not, in which databases, last scans. One showvalues per database searched and one
 * scans/retrieve, concurrently. A part without an answer is shown as failed; nothing is guessed.
 */

import type { Clock } from '../clock.js';
import { sameSpelling } from '../codereadr/barcode-equality.js';
import { noSuchValue } from '../codereadr/errors.js';
import { showValues } from '../codereadr/operations/index.js';
import { createSingleFlight, type SingleFlight } from '../codereadr/single-flight.js';
import { type Account, AccountError, type CallOptions, type Database } from '../codereadr/types.js';
import { ownerKey } from '../ownership.js';
import { abortAfter } from '../timeout.js';
import { callsLeftNow } from './calls-left.js';
import { type Attempt, attempt, failureOf, mostHelpful } from './failure.js';
import { type DatabaseAnswer, findingOf } from './finding.js';
import type { BarcodeQuery, Histories } from './scans/histories.js';
import type { ReceivedScans } from './scans/received.js';
import { merge, type Stream } from './scans/streams.js';
import { summarise } from './summary.js';
import type { DatabaseFinding, Lookup, ScanHistory } from './types.js';
import { readValidators } from './validators.js';

/** The most databases a lookup searches: of 30 calls a minute, more would leave nobody else any. */
export const mostDatabases = 10;

/** People with a customer on the line do not wait longer: a part without an answer by then has failed. */
export const timeoutMs = 10_000;

export interface LookupRequest extends BarcodeQuery {
  /** Which databases, in which order; undefined: all, up to ten. */
  readonly databaseIds?: readonly string[] | undefined;
  /** Aborts the lookup; its calls are aborted when nobody else waits for them. */
  readonly signal?: AbortSignal | undefined;
}

/** Everything one card shows. */
export type LookUp = (request: LookupRequest) => Promise<Lookup>;

export function createLookup(deps: {
  clock: Clock;
  histories: Histories;
  received?: Pick<ReceivedScans, 'relayValidators'> | undefined;
}): LookUp {
  const flights = new WeakMap<Account, SingleFlight<Lookup>>();

  /** Parts without an answer in time fail as slow; the others are the answer. */
  function search(request: LookupRequest, signal: AbortSignal): Promise<Lookup> {
    const slow = new AccountError('account.slow', 'no answer within the timeout of a lookup');
    return abortAfter(deps.clock, timeoutMs, slow, (late) =>
      searchAll(request, { priority: 'person', signal: AbortSignal.any([signal, late]) }),
    );
  }

  async function searchAll(request: LookupRequest, options: CallOptions): Promise<Lookup> {
    const { account, value } = request;
    const searchedAt = deps.clock.now();

    const listing = attempt(account.names.databases(options), options.signal);
    const [listed, answers, asTyped] = await Promise.all([
      listing,
      chosenDatabases(request, listing).then((ids) => searchDatabases(account, ids, value, options)),
      deps.histories.newest(request, options),
    ]);
    const attempts = [...(answers.length > 0 ? answers.map((answer) => answer.rows) : [listed]), asTyped.account];
    const errors = attempts.flatMap((each) => (each.ok ? [] : each.error));
    if (errors.length === attempts.length) {
      throw mostHelpful(errors);
    }

    const databases = listed.ok ? listed.value : undefined;
    const findings = answers.flatMap((answer) => findingOf(answer, value, databases) ?? []);
    const spellings = spellingsOf(findings, value, asTyped.streams);
    const asSpelled = await Promise.all(
      spellings.map((spelling) => deps.histories.newest({ ...request, value: spelling }, options)),
    );
    const histories = [asTyped, ...asSpelled];
    const scans = merge(histories.flatMap((history) => history.streams));
    const { validators, services } = await readValidators(
      account,
      scans.scans,
      async () => (await deps.received?.relayValidators?.(request.owner, [value, ...ownSpellings(findings)])) ?? [],
      options,
    );
    const notSearched = databases?.filter((d) => !answers.some((answer) => answer.databaseId === d.id));
    return {
      value,
      askedAt: searchedAt,
      findings,
      ...(notSearched ? { notAsked: notSearched.map(({ id, name }) => ({ id, name })) } : {}),
      ...(listed.ok ? {} : { listFailed: failureOf(listed.error) }),
      spellings,
      history: scanHistory(
        scans,
        histories.map((history) => history.account),
      ),
      gates: validators,
      ...(services.ok ? {} : { gatesFailed: failureOf(services.error) }),
      callsLeft: callsLeftNow(account.client.callsLeft()),
      cost: answers.length + histories.length,
    };
  }

  return ({ signal, ...request }) => {
    const inFlight = flights.get(request.account) ?? createSingleFlight<Lookup>();
    flights.set(request.account, inFlight);
    const key = JSON.stringify([ownerKey(request.owner), request.value, request.databaseIds ?? null]);
    return inFlight.share(key, signal, (giveUp) => search(request, giveUp));
  };
}

/** Chosen databases are searched at once; only "all" has to wait for the list. */
async function chosenDatabases(
  { databaseIds }: LookupRequest,
  listing: Promise<Attempt<readonly Database[]>>,
): Promise<readonly string[]> {
  if (databaseIds !== undefined) {
    return [...new Set(databaseIds)].slice(0, mostDatabases);
  }
  const listed = await listing;
  return listed.ok ? listed.value.slice(0, mostDatabases).map((database) => database.id) : [];
}

async function searchDatabases(
  account: Account,
  ids: readonly string[],
  value: string,
  options: CallOptions,
): Promise<readonly DatabaseAnswer[]> {
  return Promise.all(
    ids.map(async (databaseId) => {
      // No limit: among many spellings of one barcode, the exact one may come last.
      const call = account.client.call(showValues, { database_id: databaseId, value }, options);
      const answer = await attempt(
        call.then(({ values }) => values),
        options.signal,
      );
      const notThere = !answer.ok && answer.error.apiCode === noSuchValue;
      return { databaseId, rows: notThere ? { ok: true, value: [] } : answer };
    }),
  );
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
