/**
 * The ground truth of an evening at twelve gates: who came in and left when, which things were lent and brought back,
 * what each device said of it, and in which order the uploads came. It imports nothing: the app is compared with it.
 */

export interface Draw {
  /** An integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  percent(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

export interface Pass {
  readonly value: string;
  readonly direction: 'in' | 'out' | 'lend' | 'back';
  readonly gate: string;
  /** The time by the device's clock, in whole seconds. */
  readonly says: number;
  /** When the scan was really made, within the evening. */
  readonly madeAt: number;
  /** When the scan was sent: its device was online, or again online. */
  readonly sentAt: number;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
export const gates: readonly string[] = Array.from({ length: 12 }, (_, n) => `gate-${String(n + 1).padStart(2, '0')}`);

/**
 * `people` come between `from` and `to`; some leave, some of them come back, some tickets are used twice at once, some
 * are scanned out though nobody saw them come. A few clocks are half an hour ahead of `now`. Moments of a barcode differ.
 */
export function drawEvening(
  draw: Draw,
  { people, things, from, to, now }: Record<'people' | 'things' | 'from' | 'to' | 'now', number>,
) {
  const offline = gates.flatMap((gate) => {
    if (draw.percent(50)) return [];
    const begins = draw.between(from, to - hour);
    return [{ gate, begins, ends: begins + draw.between(5 * minute, hour) }];
  });
  const sentAt = (gate: string, at: number) =>
    offline.find((each) => each.gate === gate && at >= each.begins && at < each.ends)?.ends ?? at;
  const passes: Pass[] = [];
  const pass = (value: string, direction: Pass['direction'], moment: number, gate = draw.pick(gates)): Pass => {
    const madeAt = Math.floor(moment / second) * second;
    // No two scans of a barcode have the same time.
    const ahead = Math.floor(now / second) * second + 30 * minute + passes.length * second;
    const says = draw.percent(1) ? ahead : madeAt;
    const made = { value, direction, gate, says, madeAt, sentAt: sentAt(gate, madeAt) };
    passes.push(made);
    return made;
  };
  for (let n = 1; n <= people; n++) {
    const value = `${draw.percent(50) ? '00' : 'P-'}${n}`;
    let at = draw.between(from, to - 20 * minute);
    const step = (least: number, most: number) => {
      at += draw.between(least, most);
      return at;
    };
    if (draw.percent(2)) {
      pass(value, 'out', at);
      continue;
    }
    const { gate } = pass(value, 'in', at);
    if (draw.percent(2)) {
      const other = draw.pick(gates.filter((each) => each !== gate));
      pass(value, 'in', step(10 * second, 4 * minute), other);
    }
    for (let more = 0; more < 3 && draw.percent(35) && at < to - 15 * minute; more++) {
      pass(value, 'out', step(5 * second, 6 * minute));
      if (draw.percent(60)) {
        pass(value, 'in', step(5 * second, 6 * minute));
      }
    }
  }
  for (let n = 1; n <= things; n++) {
    for (
      let at = draw.between(from, to - hour);
      at < to && !draw.percent(20);
      at += draw.between(minute, 40 * minute)
    ) {
      // No thing becomes overdue while scans are sent and counted.
      if (at > to - dueWithin - minute && at < to - dueWithin / 2) continue;
      pass(`THING-${n}`, 'lend', at);
      at += draw.between(minute, 2 * dueWithin);
      if (at >= to || draw.percent(10)) break;
      pass(`THING-${n}`, 'back', at);
    }
  }
  return passes;
}

const dueWithin = 60 * minute;
export const dueMinutes = dueWithin / minute;

export interface Lent {
  /** How many things are out. */
  readonly out: number;
  /** The things that are out and overdue, each with the moment at which it was lent. */
  readonly overdue: readonly string[];
  /** Whatever was lent long enough ago to be overdue by now, had it not come back. */
  readonly mayBeOverdue: ReadonlySet<string>;
}

export function lentOf(passes: readonly Pass[], countsAt: (pass: Pass) => number, now: number): Lent {
  const moves = passes
    .filter(({ direction }) => direction === 'lend' || direction === 'back')
    .map((pass) => ({ ...pass, at: countsAt(pass) }))
    .sort((a, b) => a.at - b.at);
  const out = new Map<string, number>();
  for (const { value, direction, at } of moves) {
    if (direction === 'lend') out.set(value, at);
    else out.delete(value);
  }
  const named = (loans: readonly (readonly [string, number])[]) =>
    loans.filter(([, at]) => at + dueWithin < now).map(([value, at]) => `${value} ${at}`);
  const lent = moves.filter(({ direction }) => direction === 'lend').map(({ value, at }) => [value, at] as const);
  return { out: out.size, overdue: named([...out]).sort(), mayBeOverdue: new Set(named(lent)) };
}

/** The scans of a gate, in the order of its uploads. */
export function uploadsOf(passes: readonly Pass[], gate: string): readonly Pass[] {
  return passes.filter((pass) => pass.gate === gate).sort((a, b) => a.sentAt - b.sentAt || a.madeAt - b.madeAt);
}

export interface Evening {
  readonly inside: number;
  readonly ins: number;
  readonly outs: number;
  readonly outsAlone: number;
  readonly insAgain: number;
  readonly peak: number;
  readonly gates: Readonly<Record<string, { readonly ins: number; readonly outs: number }>>;
  /** By barcode: the direction, the moment and the gate of the newest move. */
  readonly places: Readonly<Record<string, string>>;
  /** Barcodes that came in at one gate and then at another, with no *out* between: the barcode and both moments. */
  readonly doubles: readonly string[];
}

const doubleWithin = 5 * minute;
export const doubleMinutes = doubleWithin / minute;

/** The true figures of the scans. `countsAt`: the moment at which a scan counts, by its device's clock or not. */
export function truthOf(passes: readonly Pass[], countsAt: (pass: Pass) => number): Evening {
  const moves = passes
    .filter(({ direction }) => direction === 'in' || direction === 'out')
    .map((pass) => ({ ...pass, at: countsAt(pass) }))
    .sort((a, b) => a.at - b.at);
  const inside = new Set<string>();
  const places: Record<string, string> = {};
  const byGate: Record<string, { ins: number; outs: number }> = {};
  const lastIn = new Map<string, { readonly gate: string; readonly at: number }>();
  const doubles: string[] = [];
  let [outsAlone, insAgain, peak] = [0, 0, 0];
  for (const [n, { value, direction, gate, at }] of moves.entries()) {
    const figures = byGate[gate] ?? { ins: 0, outs: 0 };
    byGate[gate] = figures;
    if (direction === 'in') {
      figures.ins += 1;
      insAgain += inside.has(value) ? 1 : 0;
      inside.add(value);
      const before = lastIn.get(value);
      if (before && before.gate !== gate && at - before.at <= doubleWithin) doubles.push(`${value} ${before.at} ${at}`);
      lastIn.set(value, { gate, at });
    } else {
      figures.outs += 1;
      outsAlone += inside.has(value) ? 0 : 1;
      inside.delete(value);
      lastIn.delete(value);
    }
    places[value] = `${direction} ${at} ${gate}`;
    if (moves[n + 1]?.at !== at) peak = Math.max(peak, inside.size);
  }
  const sum = (which: 'ins' | 'outs') => Object.values(byGate).reduce((all, each) => all + each[which], 0);
  return {
    ...{ inside: inside.size, ins: sum('ins'), outs: sum('outs'), outsAlone, insAgain, peak, gates: byGate, places },
    doubles: doubles.sort(),
  };
}
