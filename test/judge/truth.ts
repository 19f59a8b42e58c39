/**
 * The truth of a history: what each database held and which scans there were, at every moment. The judge's own record
 * of what it did; it imports nothing.
 */

export const minuteMs = 60_000;
/** The product's promises: a scan is late after so long, and counted as far back as that. */
export const lateMs = 10 * minuteMs;
export const countedBackMs = 24 * 60 * minuteMs;
/** The age that a green line has not reached. */
export const greenMs = 15 * minuteMs;

export function folded(text: string): string {
  return text.toLowerCase();
}

const readings: Readonly<Record<string, string>> = { '01234565': '012345000065', '012345000065': '01234565' };

/** The other text that means the same by GS1's rules. */
export function readingOf(text: string): string | undefined {
  return readings[text];
}

/** What a database says of a text: `undefined` where it does not hold it. */
export type Held = boolean | undefined;

interface Entry {
  readonly at: number;
  readonly held: Held;
}

export class DatabaseTruth {
  private readonly entries = new Map<string, Entry[]>();
  private readonly changedHere = new Map<string, number>();

  /** When it was deleted; undefined: it is there. */
  removedAt: number | undefined;

  /** @param madeAt when it was made, where it was not there from the beginning */
  constructor(
    readonly id: string,
    readonly ignoresCase: boolean,
    readonly madeAt = Number.NEGATIVE_INFINITY,
  ) {}

  remove(at: number): void {
    this.removedAt = at;
    for (const [key, entries] of this.entries) {
      this.entries.set(key, [...entries, { at, held: undefined }]);
    }
  }

  keyOf(text: string): string {
    return this.ignoresCase ? folded(text) : text;
  }

  /** @param here whether the change was made through Scandesk, which then knows it */
  set(text: string, held: Held, at: number, here: boolean): void {
    const key = this.keyOf(text);
    this.entries.set(key, [...(this.entries.get(key) ?? []), { at, held }]);
    if (here) {
      this.changedHere.set(key, at);
    }
  }

  holds(text: string): Held {
    return this.entries.get(this.keyOf(text))?.at(-1)?.held;
  }

  heldAt(text: string, at: number): Held {
    const entries = this.entries.get(this.keyOf(text)) ?? [];
    return entries.filter((entry) => entry.at <= at).at(-1)?.held;
  }

  /** What the database said of a text at the moments since `from`; a change through Scandesk is known at once. */
  since(text: string, from: number, isKnownHere = true): ReadonlySet<Held> {
    const entries = this.entries.get(this.keyOf(text)) ?? [];
    const here = isKnownHere ? this.changedHere.get(this.keyOf(text)) : undefined;
    const since = Math.max(from, here ?? Number.NEGATIVE_INFINITY);
    const before = entries.filter(({ at }) => at <= since).at(-1);
    return new Set([before?.held, ...entries.filter(({ at }) => at > since).map(({ held }) => held)]);
  }
}

/** `minutes`: within which admissions count; 0: ever. */
export type Limit =
  | { readonly kind: 'none' }
  | { readonly kind: 'duplicates'; readonly minutes: number }
  | { readonly kind: 'atMost'; readonly n: number; readonly of: 'value' | 'relay'; readonly minutes: number };

/** A relay as it is now. */
export interface RelayTruth {
  readonly name: string;
  databases: readonly DatabaseTruth[];
  limit: Limit;
  /** Whether a scan that could not be checked is let in, and counts. */
  readonly acceptsUnknown: boolean;
  /** Whether a text that no database holds is judged by its equal reading. */
  readonly readings: boolean;
  removed: boolean;
}

export function withinMs({ minutes }: Exclude<Limit, { kind: 'none' }>): number {
  return minutes === 0 ? Number.POSITIVE_INFINITY : minutes * minuteMs;
}

export type GateResult = 'valid' | 'invalid' | 'duplicate' | 'limit' | 'unknown_accepted' | 'unknown_rejected' | 'late';

/** A scan that happened. `made`: what the device's clock said; no two scans of a history have the same. */
export interface ScanTruth {
  readonly text: string;
  readonly made: number;
  readonly arrived: number;
  /** What the account has of it, from `from` until before `to`. */
  readonly account?: {
    readonly id: string;
    readonly service: ServiceTruth;
    /** What the service was when it made the scan. */
    readonly was: ServiceState;
    readonly status: 'valid' | 'invalid' | 'none';
    readonly from: number;
    to?: number;
    deletedHere?: boolean;
  };
  /** What a relay answered. */
  readonly gate?: { readonly relay: RelayTruth; readonly result: GateResult; readonly admitted: boolean };
}

/** What a service is from a moment on. */
export interface ServiceState {
  readonly at: number;
  readonly name: string;
  readonly kind: 'once' | 'often' | 'record' | 'postback';
  readonly database?: DatabaseTruth | undefined;
  /** When Scandesk was first told this. */
  seenAt?: number;
}

export class ServiceTruth {
  readonly states: ServiceState[];
  removedAt: number | undefined;

  constructor(
    readonly id: string,
    state: ServiceState,
  ) {
    this.states = [state];
  }

  get now(): ServiceState {
    return this.states.at(-1) as ServiceState;
  }

  change(to: Partial<ServiceState>, at: number): void {
    const { seenAt: _, ...state } = this.now;
    this.states.push({ ...state, ...to, at });
  }

  /** What the service was at the moments since `from`; undefined: it was deleted. */
  since(from: number): readonly (ServiceState | undefined)[] {
    const first = Math.max(
      0,
      this.states.findLastIndex(({ at }) => at <= from),
    );
    const states = this.removedAt !== undefined && this.removedAt <= from ? [] : this.states.slice(first);
    return this.removedAt === undefined ? states : [...states, undefined];
  }
}

/** The moment at which a scan counts: a device's clock counts only for what came late. */
export function momentOf({ made, arrived }: Pick<ScanTruth, 'made' | 'arrived'>): number {
  return isLate({ made, arrived }) ? made : arrived;
}

/** Whether readers go by the device's clock: what says 10 years back or a day ahead counts when it arrived. */
export function isPlausible({ made, arrived }: Pick<ScanTruth, 'made' | 'arrived'>): boolean {
  return made > arrived - 10 * 365 * 24 * 60 * minuteMs && made < arrived + 24 * 60 * minuteMs;
}

export function isLate({ made, arrived }: Pick<ScanTruth, 'made' | 'arrived'>): boolean {
  return arrived - made > lateMs;
}

export interface Truth {
  /** Those that lookups search, or searched. */
  readonly databases: readonly DatabaseTruth[];
  readonly scans: readonly ScanTruth[];
}

/** The copy that an answer states: the account's scans as of `at`, without those deleted before `fullAt`. */
export interface CopyAnswer {
  readonly at: number;
  readonly fullAt: number;
  readonly since: number;
}

/** The account's answers lose control characters, so a scan kept from them may be of either text. */
export function readsAlike({ text: scanned, account }: ScanTruth, text: string): boolean {
  return account !== undefined && scanned !== text && folded(readable(scanned)) === folded(text);
}

export function readable(text: string): string {
  return text.replace(/[\u0000-\u001f]/g, '');
}

/** A relay's scan is known at once; the account's as of the stated moment, or from what Scandesk deleted itself. */
export function presence(
  { account, gate, made }: ScanTruth,
  scansAt: number,
  since: number | undefined,
  fullAt = scansAt,
): 'always' | 'sometimes' | 'never' {
  if (gate) {
    return 'always';
  }
  if (!account || (account.to !== undefined && (account.to <= fullAt || account.deletedHere))) {
    return 'never';
  }
  const kept = since === undefined || made >= since + minuteMs;
  return account.from <= scansAt && account.to === undefined && kept ? 'always' : 'sometimes';
}

/** Every combination of one item of each list. */
export function* products<T>(choices: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = choices;
  if (!first) {
    yield [];
    return;
  }
  for (const one of first) {
    for (const others of products(rest)) {
      yield [one, ...others];
    }
  }
}

export function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

export function ageText(ms: number): string {
  return ms < 2 * minuteMs ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / minuteMs)} min`;
}

export function scanText({ text, made, arrived, account, gate }: ScanTruth): string {
  const where = gate ? `at ${gate.relay.name}: ${gate.result}` : `in the account: ${account?.status}`;
  return `${JSON.stringify(text)} made ${timeText(made)}, arrived ${timeText(arrived)}, ${where}`;
}
