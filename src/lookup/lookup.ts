/**
 * The lookup of a barcode: valid or not, in which databases, last scans. It reads the mirror, where there is one; an
 * answer that would let somebody in, or turn them away as unknown, is confirmed by the account while there are calls. A
 * part without an answer is shown as failed, never guessed.
 */
import type { Clock } from '../clock.js';
import { mostHelpful } from '../codereadr/attempt.js';
import { createSingleFlight, type SingleFlight } from '../codereadr/single-flight.js';
import { type Account, AccountError, type CallOptions, type Database, type Service } from '../codereadr/types.js';
import { ownerKey } from '../ownership.js';
import { abortAfter } from '../timeout.js';
import { createLists, freshListMs, type ListPart } from './account-lists.js';
import { type AssembleDeps, assemble, type LookupRequest, type Search } from './assemble.js';
import { confirmedPart, type LookupMirror, openSources, type Sources } from './sources.js';
import type { Lookup } from './types.js';
import { questionsOf } from './worlds.js';

/** The most databases a lookup searches: of 30 calls a minute, more would leave nobody else any. */
export const mostDatabases = 10;

/** People with a customer on the line do not wait longer: a part without an answer by then has failed. */
export const timeoutMs = 10_000;

/** How long the account may take to confirm the mirror's answer. */
const confirmMs = 2_000;

export function createLookup(deps: AssembleDeps & { clock: Clock; mirror?: LookupMirror | undefined }) {
  const flights = new WeakMap<Account, SingleFlight<Lookup>>();

  /** The answers of all parts; those that do not answer in time fail as slow. */
  function search(request: LookupRequest, signal: AbortSignal): Promise<Lookup> {
    const slow = new AccountError('account.slow', 'no answer within the timeout of a lookup');
    return abortAfter(deps.clock, timeoutMs, slow, (late) =>
      searchAll(request, {
        priority: 'person',
        maxWaitMs: request.maxWaitMs,
        who: request.who,
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
    const lists = createLists(account, clock, options, confirmMs);
    const listing = lists.databases.last();
    const [databaseList, values, scans] = await Promise.all([
      listing,
      chosenDatabases(request, listing, sources).then((ids) => sources.values(ids, options)),
      sources.scans(options),
    ]);
    const attempts = [...(values.length > 0 ? values.map((part) => part.rows) : [databaseList.list]), scans.account];
    const errors = attempts.flatMap((each) => (each.ok ? [] : each.error));
    if (errors.length === attempts.length) {
      if (request.live && deps.mirror) {
        return await searchAll({ ...request, live: false }, options);
      }
      throw mostHelpful(errors);
    }
    const answered = { listed: databaseList, services: undefined, values, scans, asked: 0 };
    return await confirmLookup({ ...answered, request, options, sources, lists, askedAt });
  }

  /** Has the account confirm, step by step, a headline that lets somebody in, or that finds nothing. */
  async function confirmLookup(search: Search): Promise<Lookup> {
    const { lookup, scans: scansRead, services: servicesRead } = await assemble(deps, search);
    const { sources, request, lists } = search;
    const { list: listed } = search.listed;
    const open = questionsOf(lookup, {
      calls: search.asked,
      databases: search.listed.asked,
      services: servicesRead?.asked ?? false,
      several: request.several ?? false,
      isGone: (id) => listed.ok && !listed.value.some((database) => database.id === id),
    });
    if (open.databaseIds.length === 0 && !open.scans && !open.databases && open.services === undefined) {
      return lookup;
    }
    const callerSignal = search.options.signal;
    const slow = new AccountError('account.slow', 'not confirmed in time');
    const [values, scans, databases, services] = await abortAfter(deps.clock, confirmMs, slow, async (late) => {
      const signal = callerSignal ? AbortSignal.any([callerSignal, late]) : late;
      const options: CallOptions = { ...search.options, maxWaitMs: 0, signal };
      return await Promise.all([
        Promise.all(open.databaseIds.map((id) => sources.liveValues(id, options))),
        open.scans ? sources.liveScans(request, options) : undefined,
        open.databases ? lists.databases.anew() : search.listed,
        open.services === undefined ? servicesRead : lists.services.anew(open.services),
      ]);
    });
    const chosen = await chosenDatabases(request, Promise.resolve(databases), sources, services);
    const newIds = chosen.filter((id) => !search.values.some(({ databaseId }) => databaseId === id));
    const isHeld = lookup.findings.some(({ kind }) => kind === 'known');
    const failed = scans && !scans.account.ok ? { failure: scans.account.error } : {};
    const confirmedValues = search.values.flatMap((part) => {
      const asked = values.find(({ databaseId }) => databaseId === part.databaseId);
      return chosen.includes(part.databaseId) ? (asked ? confirmedPart(part, asked, isHeld) : part) : [];
    });
    return await confirmLookup({
      ...search,
      listed: databases,
      services,
      values: [...confirmedValues, ...(await sources.values(newIds, search.options))],
      scans: scans?.account.ok ? scans : { ...scansRead, ...failed },
      asked: search.asked + values.length + (scans ? 1 : 0),
    });
  }

  return ({ signal, ...request }: LookupRequest): Promise<Lookup> => {
    const inFlight = flights.get(request.account) ?? createSingleFlight<Lookup>();
    flights.set(request.account, inFlight);
    const { value, databaseIds = null, live = false, several = false, maxWaitMs = null, account } = request;
    // A lookup joins none that began before somebody changed the account.
    const changes = account.client.changes();
    const key = JSON.stringify([ownerKey(request.owner), value, databaseIds, live, several, maxWaitMs, changes]);
    return inFlight.share(key, signal, (giveUp) => search(request, giveUp));
  };
}

/** The databases to search. Chosen ones are searched at once; only "all" has to wait for the list. */
async function chosenDatabases(
  { databaseIds }: LookupRequest,
  listing: Promise<ListPart<Database>>,
  { mirrored }: Sources,
  services?: ListPart<Service>,
): Promise<readonly string[]> {
  if (databaseIds !== undefined) {
    return [...new Set(databaseIds)].slice(0, mostDatabases);
  }
  const { list, at } = await listing;
  const listedIds = (list.ok ? list.value : mirrored).map(({ id }) => id);
  // A database that a younger list of services names is known, while the list of databases cannot be had.
  const isYounger = services !== undefined && services.at - at >= freshListMs;
  const named = isYounger && services.list.ok ? services.list.value.flatMap(({ databaseId }) => databaseId ?? []) : [];
  return [...new Set([...listedIds, ...named])].slice(0, mostDatabases);
}
