/**
 * The locks of one transaction against the documented order: relays by id, their incidents, channel queues in order, posts,
 * message updates. A row that the transaction holds already is free to it.
 */
import {
  type Access,
  accessesOf,
  type OrderedTable,
  orderedTables,
  type Statement,
  touchesRows,
} from './statements.js';

/** The tables whose rows are locked in order too. The rows of other tables are those of relays that are locked. */
const rowsInOrder: readonly OrderedTable[] = ['relays', 'channel_queues'];

export interface LockedTransaction {
  /** Records a statement; returns what is against the order, if anything. */
  note(statement: Statement): string | undefined;
}

export function createLockedTransaction(): LockedTransaction {
  const texts: string[] = [];
  const held = new Map<OrderedTable, Set<string>>();
  let latest: OrderedTable | undefined;
  /** A migration is alone: all instances are stopped. */
  let isMigration = false;

  const heldOf = (table: OrderedTable): Set<string> => {
    const names = held.get(table) ?? new Set();
    held.set(table, names);
    return names;
  };

  const problemOf = ({ table, keys, inOrder }: Access, rowCount: number): string | undefined => {
    const names = heldOf(table);
    const fresh = keys?.filter((key) => !names.has(key));
    if (fresh?.length === 0) {
      return undefined;
    }
    if (latest !== undefined && rankOf(table) < rankOf(latest)) {
      return `${table} after ${latest}`;
    }
    if (!rowsInOrder.includes(table)) {
      return undefined;
    }
    if (!inOrder && (fresh?.length ?? rowCount) > 1) {
      return `several rows of ${table} in no order`;
    }
    const [first] = fresh ?? [];
    const before = [...names].sort().at(-1);
    return first !== undefined && before !== undefined && first < before
      ? `${table} ${first} after ${before}`
      : undefined;
  };

  return {
    note(statement) {
      texts.push(statement.text);
      isMigration ||= /\bkysely_migration|\b(create|alter) (table|index)\b/i.test(statement.text);
      const accesses = isMigration || !touchesRows(statement) ? [] : accessesOf(statement);
      const waiting = accesses.filter(({ waits }) => waits);
      const before = latest;
      const problems = waiting.flatMap((access) => problemOf(access, statement.rowCount) ?? []);
      for (const { table, keys = [] } of accesses) {
        for (const key of keys) {
          heldOf(table).add(key);
        }
      }
      for (const { table } of waiting) {
        latest = latest === undefined || rankOf(table) > rankOf(latest) ? table : latest;
      }
      const together = new Set(waiting.map(({ table }) => table));
      if (together.size > 1 && /^\s*with part0/.test(statement.text)) {
        problems.push(`${[...together].join(' and ')} in one statement, in no order`);
      }
      return problems.length === 0
        ? undefined
        : `${problems.join('; ')}${before === undefined ? '' : ` (held before: ${before})`}, in the transaction\n${texts.map((text) => `  ${text.replace(/\s+/g, ' ').trim().slice(0, 300)}`).join('\n')}`;
    },
  };
}

function rankOf(table: OrderedTable): number {
  return orderedTables.indexOf(table);
}
