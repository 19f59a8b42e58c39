/**
 * A replay of scans through relays, minute by minute: which posts it makes, and with which results. It knows neither
 * the schema nor the modules of any version, so that an old version's answers were recorded with it too.
 */

export interface Scan {
  readonly minute: number;
  /** Minutes between the scan and its arrival. */
  readonly late?: number;
  /** The number of the scan that this is the second submit of. */
  readonly completes?: number;
  readonly form: Readonly<Record<string, string>>;
}

/** What a version offers. Relays are in the order of the fixture. */
export interface Version {
  setNow(now: number): void;
  /** To every relay. */
  send(form: Readonly<Record<string, string>>): Promise<void>;
  pollTimers(): Promise<void>;
  /** Those with greater numbers, in their order. */
  posts(after: number): Promise<readonly StoredPost[]>;
  scans(): Promise<readonly { relay: number; id: string; receivedAt: number; finding: string | null }[]>;
}

export interface StoredPost {
  readonly seq: number;
  readonly relay: number;
  readonly key: string;
  readonly scanId: string | null;
  readonly kind: string;
  readonly channel: string;
  readonly detail: string | null;
  readonly inThread: boolean;
  readonly digestKey: string | null;
}

export interface Replayed {
  /** Of each scan, in order. */
  readonly results: readonly (string | null)[];
  /** One line a post, sorted. */
  readonly posts: readonly string[];
}

const minuteMs = 60_000;

export async function replay(
  version: Version,
  scans: readonly Scan[],
  { from, minutes, relays }: { readonly from: number; readonly minutes: number; readonly relays: number },
): Promise<readonly Replayed[]> {
  const timeOf = (number: number) => from + scans[number]!.minute * minuteMs + (number + 1) * 100;
  const posts: (StoredPost & { readonly minute: number })[] = [];
  const note = async (minute: number) => {
    const added = await version.posts(posts.at(-1)?.seq ?? -1);
    posts.push(...added.map((post) => ({ ...post, minute })));
  };
  for (let minute = 0; minute <= minutes; minute++) {
    version.setNow(from + minute * minuteMs);
    await version.pollTimers();
    await note(minute);
    for (const [number, scan] of scans.entries()) {
      if (scan.minute === minute) {
        version.setNow(timeOf(number));
        await version.send(formOf(scans, number, timeOf));
        await note(minute);
      }
    }
  }
  const stored = await version.scans();
  const numberOf = (receivedAt: number) => scans.findIndex((_, number) => timeOf(number) === receivedAt);
  return Array.from({ length: relays }, (_, relay): Replayed => {
    const own = stored.filter((scan) => scan.relay === relay);
    const numbers = new Map(own.map(({ id, receivedAt }) => [id, numberOf(receivedAt)]));
    const mine = posts.filter((post) => post.relay === relay);
    const lines = mine.map((post) => {
      const number = post.scanId === null ? undefined : numbers.get(post.scanId);
      const covered = mine.filter(({ digestKey }) => digestKey === post.key).length;
      return lineOf(post, { minute: post.minute, number, covered, from });
    });
    const results = scans.map((_, number) => own.find(({ id }) => numbers.get(id) === number)?.finding ?? null);
    return { results, posts: lines.sort() };
  });
}

function formOf(scans: readonly Scan[], number: number, timeOf: (number: number) => number) {
  const { completes, late = 0, form } = scans[number]!;
  const first = completes ?? number;
  const scannedAt = new Date(timeOf(first) - (scans[first]!.late ?? late) * minuteMs);
  return {
    ...(completes === undefined ? {} : scans[completes]!.form),
    ...form,
    scanned_at_utc: scannedAt.toISOString().slice(0, 19).replace('T', ' '),
  };
}

interface Detail {
  readonly rules?: readonly { readonly id: string }[];
  readonly mention?: { readonly users?: readonly string[]; readonly groups?: readonly string[] };
  readonly watchers?: readonly string[];
  readonly digest?: { readonly why: string; readonly from: number };
}

/** Of an alarm: when it opens, where, by which rule, and whom it mentions. */
function lineOf(
  { kind, channel, detail, inThread, digestKey }: StoredPost,
  {
    minute,
    number,
    covered,
    from,
  }: { readonly minute: number; readonly number: number | undefined; readonly covered: number; readonly from: number },
): string {
  const { rules = [], mention = {}, watchers = [], digest }: Detail = detail === null ? {} : JSON.parse(detail);
  const isAlarm = kind === 'burst' || kind === 'silence';
  const mentioned = [...(mention.users ?? []), ...(mention.groups ?? []), ...watchers];
  return [
    `${String(minute).padStart(3, '0')} ${kind}`,
    ...(number === undefined || isAlarm ? [] : [`of scan ${number}`]),
    `in ${channel}`,
    ...(rules.length === 0 ? [] : [`by ${rules.map(({ id }) => id).join(' + ')}`]),
    ...(mentioned.length === 0 ? [] : [`for ${mentioned.join(' + ')}`]),
    ...(inThread ? ['in a thread'] : []),
    ...(digestKey === null ? [] : ['in a digest']),
    ...(digest ? [`(${digest.why} since ${Math.floor((digest.from - from) / minuteMs)}, of ${covered})`] : []),
  ].join(' ');
}
