/**
 * The law of cards: whether an answer equals the truth at some moment within the age that it states, or says that it is
 * not sure. Naive on purpose: every combination of what was true meanwhile is tried.
 */
import { judgeScans, type Listed } from './scan-law.js';
import {
  ageText,
  type DatabaseTruth,
  folded,
  greenMs,
  type Held,
  isPlausible,
  momentOf,
  presence,
  products,
  type RelayTruth,
  readingOf,
  readsAlike,
  type ScanTruth,
  type ServiceState,
  type ServiceTruth,
  type Truth,
  withinMs,
} from './truth.js';

export type Kind =
  | 'not_checked'
  | 'disagree'
  | 'not_valid'
  | 'used'
  | 'refused'
  | 'scanned'
  | 'no_admission'
  | 'elsewhere'
  | 'incomplete'
  | 'unconfirmed'
  | 'unknown';

/** The kinds of headlines that say valid. */
const letsIn: ReadonlySet<Kind> = new Set(['scanned', 'no_admission', 'elsewhere', 'incomplete']);

/** The kinds of headlines that say that the answer is not sure. */
export const notSure: ReadonlySet<Kind> = new Set(['not_checked', 'incomplete', 'unconfirmed']);

/** The age that a list of databases or of services has not reached where it lets somebody in, or says unknown. */
const freshListMs = 60_000;
/** The title's age is drawn from a minute on. */
const agedMs = 60_000;

/** The age up to which a barcode that a complete copy lacks is unknown without a call. */
const surelyAbsentMs = 60_000;

/** A line of a card as it is drawn, and the ages that it states. */
export interface LineAnswer {
  readonly text: string;
  /** The equal reading of the text whose card this is. */
  readonly reading: string | undefined;
  readonly kind: Kind;
  readonly green: boolean;
  readonly title: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly valuesAt: number | undefined;
  /** As of when other databases do not hold the barcode, while one does; undefined: as of the last minute. */
  readonly absentAt: number | undefined;
  readonly scansAt: number | undefined;
  /** As of when the lists of databases and of services are known; undefined: the answer needs none. */
  readonly databasesAt: number | undefined;
  readonly servicesAt: number | undefined;
  /** Whether the services could not be loaded: what is not confirmed then may be used. */
  readonly unlisted: boolean;
  /** The time since which deleted scans may still be shown; undefined: the card does not say. */
  readonly fullAt: number | undefined;
  /** The time from which scans were read; undefined: all were. */
  readonly scansSince: number | undefined;
  /** When each of the scans was made; undefined where the account's could not be read. */
  readonly scans: readonly number[] | undefined;
  /** Whether the account could answer from the question to the answer, and nothing was under way. */
  readonly undisturbed: boolean;
  /** Whether the account could not answer at all. */
  readonly down: boolean;
  /** Whether the card is of one barcode, which the account confirms where it can. */
  readonly single: boolean;
}

/** Nothing confirms the lines of several barcodes: they are as sure as the copy is young. */
export function isUnsure({ kind, single, valuesAt, answeredAt }: LineAnswer): boolean {
  const isAsked = kind !== 'unconfirmed' && kind !== 'not_checked';
  const isOld = !single && !isAsked && valuesAt !== undefined && valuesAt < answeredAt - greenMs;
  return notSure.has(kind) && !isOld;
}

export function judgeLine(truth: Truth, answer: LineAnswer): string[] {
  const { text, reading, askedAt } = answer;
  const { valuesAt = askedAt, scansAt = askedAt, fullAt = scansAt } = answer;
  const window = { text, valuesAt, scansAt, fullAt, now: askedAt, since: answer.scansSince, ...listsOf(answer) };
  const equal = readingOf(text);
  const isMissing = () => kindsSince(truth, window).has('unknown');
  const wasAdmitted = truth.scans.some((scan) => scan.text === text && scan.gate?.admitted);
  if (reading !== undefined) {
    // A reading that was scanned is worth a card, too.
    const isWorth =
      heldSince(truth, reading, valuesAt) !== 'never' || truth.scans.some(({ text: of }) => of === reading);
    const isRight = reading === equal && isMissing() && isWorth;
    return [
      ...(isRight ? [] : [`the card of ${reading} for ${text}, which is no missing barcode, or another one`]),
      ...judgeOwnLine(truth, { ...answer, text: reading }),
    ];
  }
  const isMissed =
    equal !== undefined && answer.kind === 'unknown' && !wasAdmitted && heldSince(truth, equal, valuesAt) === 'always';
  return [...(isMissed ? [`unknown, though ${equal} is held`] : []), ...judgeOwnLine(truth, answer)];
}

/** As of when the lists are that an answer may rest on: what lets somebody in, or says unknown, needs fresh ones. */
function listsOf({ kind, askedAt, databasesAt, servicesAt, single, undisturbed }: LineAnswer) {
  const freshAt = askedAt - freshListMs;
  const isAsked = single && undisturbed && (letsIn.has(kind) || kind === 'unknown');
  const least = isAsked ? freshAt : Number.NEGATIVE_INFINITY;
  return {
    databasesAt: Math.max(databasesAt ?? freshAt, least),
    servicesAt: Math.max(servicesAt ?? freshAt, least),
  };
}

/** Whether a database held a text since a moment: always, at some time or never. */
function heldSince({ databases }: Truth, text: string, from: number): 'always' | 'sometimes' | 'never' {
  const states = databases.map((database) => database.since(text, from, false));
  return states.some((one) => !one.has(undefined))
    ? 'always'
    : states.some((one) => one.size > 1)
      ? 'sometimes'
      : 'never';
}

/** Judges a line as that of its text itself, of whose card it is. */
function judgeOwnLine(truth: Truth, answer: LineAnswer): string[] {
  const { text, kind, green, askedAt, valuesAt = askedAt, scansAt = askedAt, fullAt = scansAt, title } = answer;
  const window = { text, scansAt, fullAt, now: askedAt, since: answer.scansSince, ...listsOf(answer) };
  const wrong: string[] = [];
  if (answer.undisturbed && isUnsure(answer)) {
    wrong.push(`not sure though the account answers: ${title}`);
  }
  if (answer.down && kind === 'unknown' && valuesAt < askedAt - surelyAbsentMs) {
    wrong.push(`unknown, though the account could not be asked: ${title}`);
  }
  const oldest = Math.min(valuesAt, answer.absentAt ?? valuesAt);
  if (green && oldest < answer.answeredAt - greenMs) {
    wrong.push(`green by values of ${ageText(answer.answeredAt - oldest)} ago`);
  }
  const listedAt = Math.min(answer.databasesAt ?? askedAt, green ? (answer.servicesAt ?? askedAt) : askedAt);
  if ((green || kind === 'unknown') && listedAt < answer.answeredAt - greenMs) {
    wrong.push(`says “${title}” by a list of ${ageText(answer.answeredAt - listedAt)} ago`);
  }
  // What a scan refuses is known since then.
  const restsOnScan = kind === 'used' || kind === 'refused';
  const scansSeen = restsOnScan ? (answer.scans ?? []).filter((at) => at <= askedAt) : [];
  // No scan changes what values alone say.
  const restsOnValues = kind === 'unknown' || kind === 'not_valid' || kind === 'disagree';
  const oldestAt = restsOnValues ? valuesAt : Math.min(valuesAt, scansAt);
  const age = answer.answeredAt - Math.max(oldestAt, ...scansSeen);
  if (age >= agedMs && kind !== 'not_checked' && !/as of |<!date/i.test(title)) {
    wrong.push(`says “${title}” without its age, which is ${ageText(age)}`);
  }
  if (kind !== 'not_checked' && kind !== 'incomplete') {
    const isConfirmed = green || (kind === 'unknown' && valuesAt < askedAt - surelyAbsentMs);
    const from = answer.single && answer.undisturbed && isConfirmed ? askedAt : valuesAt;
    const absentAt = kind === 'unknown' ? from : Math.min(from, answer.absentAt ?? askedAt - surelyAbsentMs);
    const allowed = kindsSince(truth, { ...window, valuesAt: from, absentAt });
    const unconfirmed = ['scanned', 'no_admission', 'elsewhere', 'incomplete'];
    const said = kind !== 'unconfirmed' ? [kind] : answer.unlisted ? [...unconfirmed, 'refused', 'used'] : unconfirmed;
    if (!said.some((one) => allowed.has(one as Kind))) {
      wrong.push(
        `says “${title}”; true was ${[...allowed].join(' or ')}${from < askedAt ? ` since ${ageText(askedAt - from)} ago` : ''}`,
      );
    }
  }
  if (answer.scans) {
    // A database that was not read does not say whether other spellings count.
    const known = kind === 'not_checked' ? Number.NEGATIVE_INFINITY : valuesAt;
    wrong.push(...judgeScans(listedScans(truth, { ...window, valuesAt: known }), answer.scans));
  }
  return wrong;
}

/** The scans that a card shows: `must` at every moment of the stated age, `may` at some. */
export function listedScans(truth: Truth, { text, valuesAt, scansAt, fullAt, since }: Window): Listed {
  const held = truth.databases.map((database) => ({ database, states: database.since(text, valuesAt) }));
  const holders = held.filter(({ states }) => [...states].some((state) => state !== undefined));
  const certain =
    holders.length > 0 && holders.every(({ states, database }) => !states.has(undefined) && database.ignoresCase);
  const anyFolds = truth.databases.some(({ ignoresCase }) => ignoresCase);
  const same = (scan: ScanTruth) => scan.text === text;
  const alike = (scan: ScanTruth) => folded(scan.text) === folded(text);
  const own = truth.scans.filter((scan) => same(scan) || (certain && alike(scan)));
  const maybe = truth.scans.filter((scan) => same(scan) || (anyFolds && alike(scan)) || readsAlike(scan, text));
  return {
    must: own.filter((scan) => presence(scan, scansAt, since, fullAt) === 'always'),
    may: maybe.filter((scan) => presence(scan, scansAt, since, fullAt) !== 'never'),
  };
}

interface Window {
  readonly text: string;
  readonly valuesAt: number;
  /** The time since which a database that did not hold the barcode may have come to hold it. */
  readonly absentAt?: number;
  readonly scansAt: number;
  readonly fullAt: number;
  readonly databasesAt: number;
  readonly servicesAt: number;
  readonly now: number;
  readonly since: number | undefined;
}

/** Every headline that was true at some moment of the window. */
export function kindsSince(truth: Truth, window: Window): ReadonlySet<Kind> {
  const { text, valuesAt, absentAt = valuesAt, scansAt, fullAt, now, since } = window;
  const kinds = new Set<Kind>();
  const same = truth.scans.filter((scan) => folded(scan.text) === folded(text));
  const always = same.filter((scan) => presence(scan, scansAt, since, fullAt) === 'always');
  const sometimes = [
    ...same.filter((scan) => presence(scan, scansAt, since, fullAt) === 'sometimes'),
    ...truth.scans.filter((scan) => readsAlike(scan, text)).map((scan) => ({ ...scan, text })),
  ];
  const statesOf = (database: DatabaseTruth) => {
    const states = database.since(text, database.heldAt(text, absentAt) === undefined ? absentAt : valuesAt);
    // A list may be older than the database.
    return database.madeAt > window.databasesAt ? new Set([...states, undefined]) : states;
  };
  const services = [...new Set([...always, ...sometimes].flatMap(({ account }) => account?.service ?? []))];
  const worlds = [...products(services.map((service) => service.since(window.servicesAt)))].map(
    (states) => new Map(services.map((service, at) => [service, states[at]] as const)),
  );
  for (const states of products(truth.databases.map((database) => [...statesOf(database)]))) {
    for (const some of subsets(sometimes)) {
      const scans = [...always, ...some];
      for (const by of [momentOf, readAt]) {
        for (const held of statesByReading(truth, states, scans, { text, valuesAt })) {
          for (const listed of worlds) {
            for (const reading of scanReadings) {
              kinds.add(kindOf(truth, held, { text, scans, now, by, listed, reading }));
            }
          }
        }
      }
    }
  }
  // The account deleted an admission with its service, which Scandesk knew.
  if (truth.scans.some((scan) => folded(scan.text) === folded(text) && isAdmissionGone(scan, now))) {
    kinds.delete('no_admission');
  }
  return kinds;
}

/** For how long a service that admitted barcodes once is remembered. */
const rememberedMs = 24 * 60 * 60_000;

function isAdmissionGone({ account }: ScanTruth, now: number): boolean {
  const { service, status, was, to } = account ?? {};
  return (
    service?.removedAt !== undefined &&
    service.removedAt > now - rememberedMs &&
    to === service.removedAt &&
    status === 'valid' &&
    was?.kind === 'once' &&
    service.states.at(-1) === was &&
    was.seenAt !== undefined
  );
}

/** How scans of a service are read whose change nobody saw: as what the service was then, or as what it is. */
const scanReadings = ['then', 'now'] as const;

interface Barcode {
  readonly text: string;
  readonly scans: readonly ScanTruth[];
  readonly now: number;
  readonly by: Moment;
  /** What each service is, as far as the answer may know. */
  readonly listed: ReadonlyMap<ServiceTruth, ServiceState | undefined>;
  readonly reading: (typeof scanReadings)[number];
}

/** What databases hold of a text: of one that a relay admitted by a reading, what they hold of the reading. */
function statesByReading(
  { databases }: Truth,
  states: readonly Held[],
  scans: readonly ScanTruth[],
  { text, valuesAt }: Pick<Window, 'text' | 'valuesAt'>,
): readonly (readonly Held[])[] {
  const reading = readingOf(text);
  const isRead = scans.some(({ gate, text: scanned }) => scanned === text && gate?.admitted && gate.relay.readings);
  return reading !== undefined && isRead && states.every((held) => held === undefined)
    ? [...products(databases.map((database) => [...database.since(reading, valuesAt)]))]
    : [states];
}

type Moment = (scan: ScanTruth) => number;

const readAt: Moment = (scan) => (isPlausible(scan) ? scan.made : scan.arrived);

function kindOf({ databases, scans: all }: Truth, states: readonly Held[], barcode: Barcode): Kind {
  const { scans, by } = barcode;
  const holders = databases.filter((_, at) => states[at] !== undefined);
  if (holders.length === 0) {
    return 'unknown';
  }
  if (states.includes(false)) {
    return states.includes(true) ? 'disagree' : 'not_valid';
  }
  const meant = scans
    .map((scan) => ({ scan, result: checkedBy(scan, holders, barcode, all) }))
    .filter(({ result }) => result !== undefined)
    .sort((a, b) => by(b.scan) - by(a.scan));
  const checked = meant.filter(({ result }) => result !== 'elsewhere');
  if (checked.some(({ result }) => result === 'blocks')) {
    return 'used';
  }
  if (checked[0]?.result === 'invalid') {
    return 'refused';
  }
  return meant.length > checked.length ? 'elsewhere' : checked.length === 0 ? 'no_admission' : 'scanned';
}

/**
 * What the scan says about another admission, where somebody checks it against a database that holds the barcode.
 * `elsewhere`: it let somebody in where other databases are checked now, or where nobody checks any more.
 */
function checkedBy(
  scan: ScanTruth,
  holders: readonly DatabaseTruth[],
  barcode: Barcode,
  all: readonly ScanTruth[],
): 'blocks' | 'valid' | 'invalid' | 'elsewhere' | undefined {
  const { gate } = scan;
  if (!gate) {
    return checkedByService(scan, holders, barcode);
  }
  const against = gate.relay.removed ? [] : gate.relay.databases;
  const first = against.find((one) => holders.includes(one));
  if (!first) {
    return gate.admitted ? 'elsewhere' : undefined;
  }
  if (first.keyOf(scan.text) !== first.keyOf(barcode.text)) {
    return undefined;
  }
  return !gate.admitted ? 'invalid' : isFull(gate.relay, first, barcode.text, barcode.now, all) ? 'blocks' : 'valid';
}

function checkedByService(
  { account, text: scanned, made }: ScanTruth,
  holders: readonly DatabaseTruth[],
  { text, listed, reading }: Barcode,
): ReturnType<typeof checkedBy> {
  const { status, service, was } = account as NonNullable<ScanTruth['account']>;
  const now = listed.get(service);
  const wasSeen = was.seenAt !== undefined && was.seenAt <= made;
  const then = wasSeen || reading === 'then' ? was : (now ?? was);
  const isReceipt = then.kind === 'record' || then.kind === 'postback';
  if (status === 'none' && (isReceipt || !now?.database)) {
    return undefined;
  }
  const first = now?.database && holders.includes(now.database) ? now.database : undefined;
  if (!first) {
    return !isReceipt && status === 'valid' ? 'elsewhere' : undefined;
  }
  if (first.keyOf(scanned) !== first.keyOf(text)) {
    return undefined;
  }
  return status === 'invalid' ? 'invalid' : now?.kind === 'once' ? 'blocks' : 'valid';
}

/** Whether the relay has admitted as many as it does, of the barcode or in all, within its time. */
function isFull(
  relay: RelayTruth,
  database: DatabaseTruth,
  text: string,
  now: number,
  all: readonly ScanTruth[],
): boolean {
  const { limit } = relay;
  if (limit.kind === 'none') {
    return false;
  }
  const isOfRelay = limit.kind === 'atMost' && limit.of === 'relay';
  const admitted = all.filter(
    (scan) =>
      scan.gate?.relay === relay &&
      scan.gate.admitted &&
      (isOfRelay || database.keyOf(scan.text) === database.keyOf(text)) &&
      Math.abs(now - momentOf(scan)) < withinMs(limit),
  );
  return admitted.length >= (limit.kind === 'duplicates' ? 1 : limit.n);
}

/** All subsets of up to `most` items; of more items none, all, each alone, and all but each. */
function subsets<T>(items: readonly T[], most = 6): readonly (readonly T[])[] {
  if (items.length > most) {
    return [[], items, ...items.map((item) => [item]), ...items.map((item) => items.filter((one) => one !== item))];
  }
  return [...products(items.map((item) => [[], [item]] as readonly (readonly T[])[]))].map((parts) => parts.flat());
}
