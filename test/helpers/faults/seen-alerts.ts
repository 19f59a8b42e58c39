/** The alerts that people see, from their messages and the incidents table, compared with what they should be. */
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { type ExpectedAlert, toleranceMs } from './expected-alerts.js';

type Row = Awaited<ReturnType<typeof readRows>>[number];

const readRows = async ({ db }: Pick<Store, 'db'>) => await db.selectFrom('incidents').selectAll().execute();

export interface SeenAlert {
  readonly row: Row;
  /** The alert's messages by the ends of their keys. */
  readonly messages: ReadonlyMap<string, readonly ShownMessage[]>;
}

export interface AlertReader {
  /** Reads a rule's alerts, in the order in which they opened. */
  read(ruleId: string, messages: readonly ShownMessage[]): Promise<readonly SeenAlert[]>;
}

/** An incident that is deleted after its end stays as it was last seen. */
export function createAlertReader(store: Pick<Store, 'db'>): AlertReader {
  const known = new Map<string, Row>();
  return {
    async read(ruleId, messages) {
      const rows = await readRows(store);
      const gone = [...known.values()].filter(({ post_key: key }) => !rows.some((row) => row.post_key === key));
      for (const { post_key: key, ended_at } of gone) {
        if (ended_at === null) {
          throw new Error(`the open incident ${key} was deleted`);
        }
      }
      for (const row of rows) {
        known.set(row.post_key, row);
      }
      return [...known.values()]
        .filter((row) => row.rule_id === ruleId)
        .sort((a, b) => a.opened_at - b.opened_at)
        .map((row) => ({ row, messages: messagesOf(row.post_key, messages) }));
    },
  };
}

function messagesOf(key: string, messages: readonly ShownMessage[]): ReadonlyMap<string, ShownMessage[]> {
  const found = new Map<string, ShownMessage[]>();
  for (const message of messages) {
    const own = String(message.metadata?.event_payload.key);
    if (own === key || own.startsWith(`${key}.`)) {
      const name = own.slice(key.length + 1);
      found.set(name, [...(found.get(name) ?? []), message]);
    }
  }
  return found;
}

/** The differences at the moment `now`, in words. */
export function differences(expected: readonly ExpectedAlert[], seen: readonly SeenAlert[], now: number): string[] {
  const due = expected.filter(({ openedAt }) => openedAt <= now);
  const left = new Set(seen);
  const found: string[] = [];
  for (const alert of due) {
    const same = seen.find((one) => left.has(one) && Math.abs(one.row.opened_at - alert.openedAt) <= toleranceMs);
    if (same) {
      left.delete(same);
      found.push(...differencesOf(alert, same, now).map((what) => `${same.row.post_key}: ${what}`));
    } else if (!alert.events[0]?.perhaps) {
      found.push(`no alert opened at ${timeOf(alert.openedAt)}`);
    }
  }
  return [...found, ...[...left].map(({ row }) => `${row.post_key} should not have opened`)];
}

function differencesOf(alert: ExpectedAlert, { row, messages }: SeenAlert, now: number): string[] {
  const found: string[] = [];
  const same = (what: string, is: unknown, should: unknown) => {
    if (is !== should) {
      found.push(`${what} is ${String(is)}, not ${String(should)}`);
    }
  };
  const isOver = alert.overAt <= now;
  same('its end', row.ended_at, isOver ? alert.overAt : null);
  if (Math.abs(row.began_at - alert.beganAt) > (alert.figures ? 0 : toleranceMs)) {
    found.push(`it began at ${timeOf(row.began_at)}, not at ${timeOf(alert.beganAt)}`);
  }
  if (alert.figures) {
    same('its number of scans', row.scans, alert.figures.scans);
    same('its last scan', row.last_at, alert.figures.lastAt);
    const { services } = JSON.parse(row.tally) as { services: Record<string, number> };
    same('its services', sorted(services), sorted(alert.figures.services));
    same('number of its threads', messages.get('opened')?.length, 1);
  }

  const past = alert.events.filter(({ at }) => at <= now);
  const posts = past.filter(({ name }) => name !== 'rests' && name !== 'wakes');
  for (const { name, at, perhaps } of posts) {
    const own = messages.get(name) ?? [];
    if (own.length !== 1 && !(perhaps && own.length === 0)) {
      found.push(`${own.length} messages "${name}" of ${timeOf(at)}`);
    }
    for (const { ts } of own) {
      if (Math.abs(Number(ts) * 1_000 - at) > toleranceMs) {
        found.push(`the message "${name}" of ${timeOf(at)} came at ${timeOf(Number(ts) * 1_000)}`);
      }
    }
  }
  const names = new Set(posts.map(({ name }) => name));
  for (const name of messages.keys()) {
    if (/^$|^(again\d+(\.escalated)?|escalated|over)$/.test(name) && !names.has(name)) {
      found.push(`a message "${name}" that should not be`);
    }
  }
  const calls = posts.filter(({ name }) => name.endsWith('escalated'));
  if (calls.some(({ perhaps }) => !perhaps)) {
    same('whether people were called', row.escalated_at !== null, true);
  }

  const newest = messages.get(posts.findLast(({ name }) => /^$|^again\d+$/.test(name))?.name ?? '')?.[0];
  const text = JSON.stringify([newest?.text, newest?.blocks]);
  same('"Over" in its message', /\bOver (after|·)/.test(text), isOver);
  if (!isOver) {
    const rests = past.findLast(({ name }) => name === 'rests' || name === 'wakes')?.name === 'rests';
    same('"resting until" in its message', text.includes('resting until'), rests);
  }
  if (alert.figures) {
    const { scans } = alert.figures;
    const number = `${scans} scans not valid`;
    same(`"${number}" in its message`, JSON.stringify(newest?.blocks ?? []).includes(number), true);
  }
  const top = newest?.ts;
  for (const { thread_ts: thread } of isOver ? (messages.get('over') ?? []) : []) {
    same('the thread of its end', thread, top);
  }
  return found;
}

function sorted(counts: Readonly<Record<string, number>>): string {
  return JSON.stringify(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
