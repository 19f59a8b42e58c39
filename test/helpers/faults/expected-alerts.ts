/**
 * A naive reader of all scans: which alerts of a rule open, escalate, rest, are posted again and end, and when. It shares
 * no code with the app. Times are Unix milliseconds.
 */
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** How far the app's times may be from this reader's. */
export const toleranceMs = minute;

/** A scan as it was answered. Lists of scans are in order, oldest first. */
export interface ReadScan {
  readonly at: number;
  readonly valid: boolean;
  readonly sid: string;
}

export interface AlertEvent {
  /** The end of the message's key (empty: the alert itself), or `rests` and `wakes`, which have no message. */
  readonly name: string;
  readonly at: number;
  /** Whether another event comes so soon that the app may see the other one first. */
  readonly perhaps?: boolean;
}

export interface ExpectedAlert {
  readonly beganAt: number;
  readonly openedAt: number;
  /** Infinity: nothing ends the alert so far. */
  readonly overAt: number;
  readonly events: readonly AlertEvent[];
  /** The figures of an alert about many scans that are not valid. */
  readonly figures?: { readonly scans: number; readonly lastAt: number; readonly services: Record<string, number> };
}

/** `n` scans that are not valid within `minutes`; nobody answers for `escalateMinutes`. */
export interface BurstRule {
  readonly n: number;
  readonly minutes: number;
  readonly escalateMinutes: number;
}

export function burstsOf({ n, minutes, escalateMinutes }: BurstRule, scans: readonly ReadScan[]): ExpectedAlert[] {
  const span = minutes * minute;
  const invalid = scans.filter(({ valid }) => !valid);
  const found: ExpectedAlert[] = [];
  for (let from = 0, at = 0; at < invalid.length; at++) {
    const openedAt = invalid[at]!.at;
    const recent = invalid.slice(from, at + 1).filter((one) => one.at > openedAt - span);
    if (recent.length < n) {
      continue;
    }
    let last = at;
    while (last + 1 < invalid.length && invalid[last + 1]!.at - invalid[last]!.at < span) {
      last += 1;
    }
    const all = [...recent.slice(-n), ...invalid.slice(at + 1, last + 1)];
    const services: Record<string, number> = {};
    for (const { sid } of all) {
      services[sid] = (services[sid] ?? 0) + 1;
    }
    const lastAt = invalid[last]!.at;
    const overAt = lastAt + span;
    found.push({
      ...{ beganAt: all[0]!.at, openedAt, overAt, figures: { scans: all.length, lastAt, services } },
      events: [
        { name: '', at: openedAt },
        ...calls('escalated', openedAt + escalateMinutes * minute, overAt),
        { name: 'over', at: overAt },
      ],
    });
    from = last + 1;
    at = last;
  }
  return found;
}

/** No scan for `minutes` between two hours of each day (UTC); nobody answers for `escalateMinutes`. */
export interface SilenceRule {
  readonly minutes: number;
  readonly escalateMinutes: number;
  readonly fromHour: number;
  readonly toHour: number;
}

/** @param since when the rule began to watch; `until`: alerts and events after it are left out */
export function silencesOf(
  { minutes, escalateMinutes, fromHour, toHour }: SilenceRule,
  scans: readonly ReadScan[],
  { since, until }: { readonly since: number; readonly until: number },
): ExpectedAlert[] {
  const times = [since, ...scans.map(({ at }) => at)];
  return times.flatMap((last, n): ExpectedAlert[] => {
    const next = times[n + 1] ?? Number.POSITIVE_INFINITY;
    const events: AlertEvent[] = [];
    let posted = 0;
    for (let midnight = last - (last % day); midnight < Math.min(next, until); midnight += day) {
      const [opens, closes] = [midnight + fromHour * hour, midnight + toHour * hour];
      if (posted > 0 && opens < next) {
        events.push({ name: 'wakes', at: opens });
      }
      const at = Math.max(opens, last) + minutes * minute;
      if (at <= closes && at < next) {
        const name = posted === 0 ? '' : `again${posted}`;
        const called = at + escalateMinutes * minute;
        events.push({ name, at, ...(next - at < toleranceMs ? { perhaps: true } : {}) });
        events.push(...(called <= closes ? calls(name === '' ? 'escalated' : `${name}.escalated`, called, next) : []));
        posted += 1;
      }
      if (posted > 0 && closes < next) {
        events.push({ name: 'rests', at: closes });
      }
    }
    const over = next === Number.POSITIVE_INFINITY ? [] : [{ name: 'over', at: next }];
    return posted === 0 ? [] : [{ beganAt: last, openedAt: events[0]!.at, overAt: next, events: [...events, ...over] }];
  });
}

/** People are called at that time, unless the alert is over by then. */
function calls(name: string, at: number, overAt: number): AlertEvent[] {
  const left = overAt - at;
  return left > toleranceMs ? [{ name, at }] : left > -toleranceMs ? [{ name, at, perhaps: true }] : [];
}
