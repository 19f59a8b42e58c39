/**
 * The rule that says what is sure: a verdict is, if it is the same in the best and in the worst world of the facts that
 * are open. The same rule says which facts to ask for, and which are in doubt when the answer is drawn. Pure.
 */
import type { SeenScan } from '../scans/seen-scan.js';
import { freshListMs } from './account-lists.js';
import { isAdmission, isUnlisted } from './checked-scans.js';
import type { DatabaseFinding, Fact, Validator } from './types.js';
import { checkingGates, isForgotten, isHeldBy, type LookupFacts, type Verdict, verdictOf } from './verdict.js';

/** The default of the setting GREEN_MINUTES, in milliseconds: the age up to which facts stand. */
export const defaultGreenMs = 15 * 60_000;

/** A fact of a lookup. The spellings searched are a part of the scans. */
export type NamedFact =
  | { readonly of: 'value'; readonly fact: DatabaseFinding }
  | { readonly of: 'scans'; readonly fact: LookupFacts['history'] }
  | { readonly of: 'services'; readonly fact: Fact }
  | { readonly of: 'databases'; readonly fact: Fact };

function factsOf({ findings, history, lists: { services, databases } }: LookupFacts): readonly NamedFact[] {
  return [
    { of: 'scans', fact: history },
    ...findings.map((fact): NamedFact => ({ of: 'value', fact })),
    ...(services ? [{ of: 'services', fact: services } as const] : []),
    ...(databases ? [{ of: 'databases', fact: databases } as const] : []),
  ];
}

/** Whether there is no fact at all: the account gave none, and nothing here stands in for it. */
export function isMissing({ of, fact }: NamedFact): boolean {
  return of === 'value' || of === 'scans' ? fact.kind === 'failed' : !fact.whole;
}

export function isOld({ at }: Pick<Fact, 'at'>, { greenMs = defaultGreenMs }: LookupFacts, now: number): boolean {
  return now - at >= greenMs;
}

function holdersOf({ findings }: LookupFacts) {
  return findings.filter((finding) => finding.kind === 'known');
}

/** Whether a gate admitted by scans that are deleted and were not counted. */
export function hasForgotten(lookup: LookupFacts): boolean {
  return checkingGates(lookup.gates, holdersOf(lookup)).some(isForgotten);
}

/** Whether the scans reach back to the first. */
export function isWholeHistory(lookup: LookupFacts): boolean {
  return lookup.history.whole && !hasForgotten(lookup);
}

/** The lookup as it is if one fact is otherwise: for the better, and for the worse. */
export function worldsOf(lookup: LookupFacts, { of, fact }: NamedFact, now: number): readonly LookupFacts[] {
  const { value, findings, history, gates, askedAt } = lookup;
  const holders = holdersOf(lookup);
  const certain = { at: askedAt, whole: true, source: 'account' } as const;
  const gate: Validator = { ...unknownGate(lookup, ['?']), once: {} };
  const states = (database: DatabaseFinding['database']): readonly DatabaseFinding[] => [
    ...[false, true].map((valid) => ({ kind: 'known', database, value, valid, response: '', ...certain }) as const),
    { kind: 'unknown', database, similar: [], ...certain },
  ];
  switch (of) {
    case 'value':
      return states(fact.database).map((other) => ({
        ...lookup,
        findings: findings.map((finding) => (finding === fact ? other : finding)),
      }));
    case 'databases':
      return states({ id: '?', name: '' }).map((other) => ({ ...lookup, findings: [...findings, other] }));
    case 'scans': {
      // One more admission: where the barcode is admitted once, if there may be such a gate that does not tell itself.
      const isOnce = (each: Validator) =>
        isForgotten(each) || (each.once && each.now === undefined && isHeldBy(each, holders));
      const mayBlock = fact.kind === 'failed' || isOld(fact, lookup, now) || checkingGates(gates, holders).some(isOnce);
      const nobody = { id: '?', name: '' };
      const admission: SeenScan = {
        source: 'account',
        value,
        status: 'valid',
        result: '',
        at: askedAt,
        atText: '',
        answers: [],
        service: nobody,
        device: nobody,
        user: nobody,
      };
      return [
        {
          ...lookup,
          history: { ...history, scans: [admission, ...history.scans] },
          gates: [{ ...gate, once: mayBlock ? {} : undefined }, ...gates],
        },
      ];
    }
    case 'services': {
      // A gate nobody knows checks these databases and admits once. One that is gone took its scans with it.
      const thrownAway = fact.whole ? { admittedAt: askedAt } : undefined;
      return [{ ...lookup, gates: [{ ...gate, serviceIds: servicesOf(lookup), thrownAway }, ...gates] }];
    }
  }
}

/** The lookup as it is if services that nobody knows checked these databases, and admit as often as a barcode comes. */
export function withOpenServices(lookup: LookupFacts): LookupFacts {
  return { ...lookup, gates: [...lookup.gates, unknownGate(lookup, servicesOf(lookup))] };
}

function unknownGate(lookup: LookupFacts, serviceIds: readonly string[]): Validator {
  const databaseIds = holdersOf(lookup).map(({ database }) => database.id);
  return { relay: false, id: '?', name: '', databaseIds, serviceIds };
}

/** The services that made the barcode's scans. */
function servicesOf({ history }: LookupFacts): string[] {
  return history.scans.flatMap((scan) => (scan.validatedBy === undefined ? [scan.service.id] : []));
}

/** Whether another state of the fact would change the verdict. */
function changes(lookup: LookupFacts, { kind }: Verdict, fact: NamedFact, now: number): boolean {
  return worldsOf(lookup, fact, now).some((world) => verdictOf(world).kind !== kind);
}

/** Whether the verdict says valid, so that somebody may be let in. */
function letsIn({ kind }: Verdict): boolean {
  return kind === 'scanned' || kind === 'no_admission' || kind === 'elsewhere';
}

/**
 * The facts that leave the verdict in doubt when it is drawn: those that are missing, and those that do not stand any
 * more or reach too short. Not valid and Already used stand, whatever is open.
 */
export function doubtsOf(lookup: LookupFacts, verdict: Verdict, now: number): readonly NamedFact[] {
  const { kind } = verdict;
  if (kind !== 'unknown' && kind !== 'refused' && !letsIn(verdict)) {
    return [];
  }
  const isAging = kind === 'unknown' || kind === 'scanned' || kind === 'no_admission';
  const lacks = ({ of, fact }: NamedFact) =>
    of === 'scans' ? !isWholeHistory(lookup) : of === 'value' && fact.kind === 'known' && !fact.whole;
  const isOpen = (each: NamedFact) => isMissing(each) || (isAging && (isOld(each.fact, lookup, now) || lacks(each)));
  return factsOf(lookup).filter((each) => isOpen(each) && changes(lookup, verdict, each, now));
}

/** How many calls confirm a lookup, but for what does not stand any more: there are 30 a minute for all. */
const mostCalls = 3;

/** How long a device's clock may be behind: a service that made a scan may be younger than a list as old as the scan. */
const clocksDifferMs = 5 * 60_000;

/** What was asked for already: how many calls about the barcode, and which lists. */
export interface Asked {
  readonly calls: number;
  readonly databases: boolean;
  readonly services: boolean;
  /** Whether the barcode is one of several: its values are then shown as of their copy. */
  readonly several: boolean;
  /** Whether the account lists no such database any more. */
  isGone(databaseId: string): boolean;
}

/** What to ask the account for; `services`: the age up to which that list needs no call. */
export interface Questions {
  readonly databaseIds: readonly string[];
  readonly scans: boolean;
  readonly databases: boolean;
  readonly services: number | undefined;
}

export function questionsOf(lookup: LookupFacts, asked: Asked): Questions {
  const { askedAt, history, gates, lists } = lookup;
  const verdict = verdictOf(lookup);
  const { kind } = verdict;
  const isUnknown = kind === 'unknown';
  const isWeighed = isUnknown || letsIn(verdict);
  // A service that is younger than the list may have made a scan.
  const isNewService = history.scans.some(
    (scan) =>
      isAdmission(scan) &&
      isUnlisted(scan, gates) &&
      (scan.at ?? askedAt) + clocksDifferMs > (lists.services?.at ?? askedAt),
  );
  const isFresh = ({ of, fact }: NamedFact): boolean => {
    if (of === 'services' || of === 'databases') {
      return (
        asked[of] ||
        fact.failure !== undefined ||
        (askedAt - fact.at < freshListMs && !(of === 'services' && isNewService))
      );
    }
    const isFreshCopy = isUnknown && fact.kind === 'unknown' && fact.whole;
    return fact.source === 'account' || fact.failure !== undefined || isFreshCopy;
  };
  const isStale = ({ of, fact }: NamedFact) =>
    isOld(of === 'scans' && !isWeighed ? { at: fact.fullAt ?? fact.at } : fact, lookup, askedAt);
  const isGone = ({ of, fact }: NamedFact) => of === 'value' && fact.kind === 'known' && asked.isGone(fact.database.id);
  const isByScans = isWeighed ? !isUnknown : kind === 'used' || kind === 'refused';
  const isWanted = (each: NamedFact): boolean => {
    switch (each.of) {
      case 'value':
        // A database that lacks the barcode counts where none has it, or once its copy is old.
        return each.fact.kind === 'known' || isUnknown
          ? isStale(each) || (isWeighed && changes(lookup, verdict, each, askedAt))
          : isWeighed && isStale(each);
      case 'scans':
        // Scans that are deleted stay in the copy: those of an unknown barcode, or of a gate that nobody knows.
        return isUnknown || kind === 'elsewhere'
          ? history.scans.length > 0
          : (isWeighed && changes(lookup, verdict, each, askedAt)) || (isByScans && isStale(each));
      default:
        // What is used stands no longer than the list: the service may admit again, or check another database.
        return (
          (isWeighed && changes(lookup, verdict, each, askedAt)) ||
          (each.of === 'services' && isByScans && isStale(each))
        );
    }
  };
  const isOfSeveral = (each: NamedFact) =>
    each.of === 'scans' ? kind === 'no_admission' || kind === 'elsewhere' : each.of !== 'value';
  const wanted = factsOf(lookup).filter(
    (each) => !isFresh(each) && (isGone(each) || ((!asked.several || isOfSeveral(each)) && isWanted(each))),
  );
  const has = (name: NamedFact['of']) => wanted.some(({ of }) => of === name);
  const left = mostCalls - asked.calls;
  const values = wanted
    .flatMap((each) => (each.of === 'value' ? [each] : []))
    .sort((one, other) => one.fact.at - other.fact.at)
    .filter((each, place) => place < left - (has('scans') ? 1 : 0) || isStale(each) || isGone(each));
  return {
    databaseIds: values.map(({ fact }) => fact.database.id),
    scans: has('scans'),
    databases: has('databases'),
    services: has('services') ? (isNewService ? 0 : freshListMs) : undefined,
  };
}
