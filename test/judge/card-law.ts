/**
 * The law of cards and searches: whether an answer equals the truth at some moment within the age that it states, or says that it is not sure.
 * Naive on purpose: every combination of what was true meanwhile is tried.
 */
import {
  ageText,
  type DatabaseTruth,
  folded,
  greenMs,
  type Held,
  minuteMs,
  momentOf,
  products,
  type RelayTruth,
  type ScanTruth,
  scanText,
  type Truth,
  timeText,
} from './truth.js';

export type Kind =
  | 'not_checked'
  | 'disagree'
  | 'not_valid'
  | 'used'
  | 'refused'
  | 'scanned'
  | 'no_admission'
  | 'incomplete'
  | 'unconfirmed'
  | 'unknown';

/** What a card says that nobody can rely on. */
const notSure: ReadonlySet<Kind> = new Set(['not_checked', 'incomplete', 'unconfirmed']);

/** What a complete copy that young does not hold is unknown without a call. */
const surelyAbsentMs = 60_000;

/** A line of a card as it is drawn, and the ages that it states. */
export interface LineAnswer {
  readonly text: string;
  readonly kind: Kind;
  readonly green: boolean;
  readonly title: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly valuesAt: number | undefined;
  readonly scansAt: number | undefined;
  /** Scans made earlier were not read. */
  readonly scansSince: number | undefined;
  /** When each of the scans was made; undefined where the account's could not be read. */
  readonly scans: readonly number[] | undefined;
  /** The account could answer from the question to the answer, and nothing was under way. */
  readonly undisturbed: boolean;
  /** The account could not answer at all. */
  readonly down: boolean;
  /** One barcode: confirmed by the account where it can be. */
  readonly single: boolean;
}

/** Nothing confirms the lines of several barcodes: they are as sure as the copy is young. */
export function isUnsure({ kind, single, valuesAt, answeredAt }: LineAnswer): boolean {
  const isAsked = kind !== 'unconfirmed' && kind !== 'not_checked';
  const isOld = !single && !isAsked && valuesAt !== undefined && valuesAt < answeredAt - greenMs;
  return notSure.has(kind) && !isOld;
}

export function judgeLine(truth: Truth, answer: LineAnswer): string[] {
  const { text, kind, green, askedAt, valuesAt = askedAt, scansAt = askedAt, title } = answer;
  const wrong: string[] = [];
  if (answer.undisturbed && isUnsure(answer)) {
    wrong.push(`not sure though the account answers: ${title}`);
  }
  if (answer.down && kind === 'unknown' && valuesAt < askedAt - surelyAbsentMs) {
    wrong.push(`unknown, though the account could not be asked: ${title}`);
  }
  if (green && valuesAt < answer.answeredAt - greenMs) {
    wrong.push(`green by values of ${ageText(answer.answeredAt - valuesAt)} ago`);
  }
  if (kind !== 'not_checked' && kind !== 'incomplete') {
    const isConfirmed = green || (kind === 'unknown' && valuesAt < askedAt - surelyAbsentMs);
    const from = answer.single && answer.undisturbed && isConfirmed ? askedAt : valuesAt;
    const allowed = kindsSince(truth, { text, valuesAt: from, scansAt, now: askedAt, since: answer.scansSince });
    const said = kind === 'unconfirmed' ? ['scanned', 'no_admission', 'incomplete'] : [kind];
    if (!said.some((one) => allowed.has(one as Kind))) {
      wrong.push(
        `says “${title}”; true was ${[...allowed].join(' or ')}${from < askedAt ? ` since ${ageText(askedAt - from)} ago` : ''}`,
      );
    }
  }
  if (answer.scans) {
    wrong.push(...judgeScans(listedScans(truth, text, valuesAt, scansAt, answer.scansSince), answer.scans));
  }
  return wrong;
}

export interface Listed {
  readonly must: readonly ScanTruth[];
  readonly may: readonly ScanTruth[];
}

export function judgeScans({ must, may }: Listed, said: readonly number[]): string[] {
  const count = new Map<number, number>();
  for (const made of said) {
    count.set(made, (count.get(made) ?? 0) + 1);
  }
  return [
    ...must.filter(({ made }) => !count.has(made)).map((scan) => `lacks the scan ${scanText(scan)}`),
    ...[...count]
      .filter(([, times]) => times > 1)
      .map(([made, times]) => `shows the scan of ${timeText(made)} ${times} times`),
    ...[...count.keys()]
      .filter((made) => ![...must, ...may].some((scan) => scan.made === made))
      .map((made) => `shows a scan of ${timeText(made)}, which is none of this barcode`),
  ];
}

/** The scans that a card shows: `must` at every moment of the stated age, `may` at some. */
function listedScans(truth: Truth, text: string, valuesAt: number, scansAt: number, since: number | undefined): Listed {
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
    must: own.filter((scan) => presence(scan, scansAt, since) === 'always'),
    may: maybe.filter((scan) => presence(scan, scansAt, since) !== 'never'),
  };
}

/** Scans that a search for exactly this text shows. `account`: the copy it was made in. */
export function searchedScans(truth: Truth, text: string, account: { at: number; since: number } | undefined): Listed {
  const own = truth.scans.filter((scan) => scan.text === text);
  const at = (scan: ScanTruth) =>
    account ? presence(scan, account.at, account.since) : scan.gate ? 'always' : 'never';
  const alike = truth.scans.filter((scan) => account && readsAlike(scan, text));
  return {
    must: own.filter((scan) => at(scan) === 'always'),
    may: [...own.filter((scan) => at(scan) !== 'never'), ...alike],
  };
}

/** The account's answers lose control characters, so a scan kept from them may be of either text. */
function readsAlike({ text: scanned, account }: ScanTruth, text: string): boolean {
  return account !== undefined && scanned !== text && folded(readable(scanned)) === folded(text);
}

function readable(text: string): string {
  return text.replace(/[\u0000-\u001f]/g, '');
}

/** A relay's scan is known at once; the account's as of the stated moment, or from what Scandesk deleted itself. */
function presence(
  { account, gate, made }: ScanTruth,
  scansAt: number,
  since: number | undefined,
): 'always' | 'sometimes' | 'never' {
  if (gate) {
    return 'always';
  }
  if (!account || (account.to !== undefined && (account.to <= scansAt || account.deletedHere))) {
    return 'never';
  }
  const kept = since === undefined || made >= since + minuteMs;
  return account.from <= scansAt && account.to === undefined && kept ? 'always' : 'sometimes';
}

interface Window {
  readonly text: string;
  readonly valuesAt: number;
  readonly scansAt: number;
  readonly now: number;
  readonly since: number | undefined;
}

/** Every headline that was true at some moment of the window. */
export function kindsSince(truth: Truth, window: Window): ReadonlySet<Kind> {
  const { text, valuesAt, scansAt, now, since } = window;
  const kinds = new Set<Kind>();
  const same = truth.scans.filter((scan) => folded(scan.text) === folded(text));
  const always = same.filter((scan) => presence(scan, scansAt, since) === 'always');
  const sometimes = [
    ...same.filter((scan) => presence(scan, scansAt, since) === 'sometimes'),
    ...truth.scans.filter((scan) => readsAlike(scan, text)).map((scan) => ({ ...scan, text })),
  ];
  for (const states of products(truth.databases.map((database) => [...database.since(text, valuesAt)]))) {
    for (const some of subsets(sometimes)) {
      for (const by of [momentOf, ({ made }: ScanTruth) => made]) {
        kinds.add(kindOf(truth.databases, states, text, [...always, ...some], now, by));
      }
    }
  }
  return kinds;
}

type Moment = (scan: ScanTruth) => number;

function kindOf(
  databases: readonly DatabaseTruth[],
  states: readonly Held[],
  text: string,
  scans: readonly ScanTruth[],
  now: number,
  by: Moment,
): Kind {
  const holders = databases.filter((_, at) => states[at] !== undefined);
  if (holders.length === 0) {
    return 'unknown';
  }
  if (states.includes(false)) {
    return states.includes(true) ? 'disagree' : 'not_valid';
  }
  const checked = scans
    .map((scan) => ({ scan, result: checkedBy(scan, holders, text, now, by) }))
    .filter(({ result }) => result !== undefined)
    .sort((a, b) => by(b.scan) - by(a.scan));
  if (checked.some(({ result }) => result === 'blocks')) {
    return 'used';
  }
  return checked.length === 0 ? 'no_admission' : checked[0]?.result === 'invalid' ? 'refused' : 'scanned';
}

/** What the scan says about another admission, where somebody checked it against a database that holds the barcode. */
function checkedBy(
  scan: ScanTruth,
  holders: readonly DatabaseTruth[],
  text: string,
  now: number,
  by: Moment,
): 'blocks' | 'valid' | 'invalid' | undefined {
  const against = scan.gate
    ? scan.gate.relay.databases
    : scan.account?.service.database
      ? [scan.account.service.database]
      : [];
  const counted = against.some((one) => holders.includes(one) && one.keyOf(scan.text) === one.keyOf(text));
  if (!counted) {
    return undefined;
  }
  if (!scan.gate) {
    const { status, service } = scan.account as NonNullable<ScanTruth['account']>;
    return status === 'none'
      ? undefined
      : status === 'invalid'
        ? 'invalid'
        : service.kind === 'once'
          ? 'blocks'
          : 'valid';
  }
  const { admitted, relay } = scan.gate;
  const minutes = onceFor(relay);
  return !admitted ? 'invalid' : minutes !== undefined && now - by(scan) < minutes * minuteMs ? 'blocks' : 'valid';
}

/** For how many minutes an admission prevents the next. */
function onceFor({ limit }: RelayTruth): number | undefined {
  return limit.kind === 'duplicates' || (limit.kind === 'atMost' && limit.n === 1) ? limit.minutes : undefined;
}

/** All of them, up to so many; beyond, none, all, and each alone. */
function subsets<T>(items: readonly T[], most = 6): readonly (readonly T[])[] {
  if (items.length > most) {
    return [[], items, ...items.map((item) => [item]), ...items.map((item) => items.filter((one) => one !== item))];
  }
  return [...products(items.map((item) => [[], [item]] as readonly (readonly T[])[]))].map((parts) => parts.flat());
}
