/**
 * What a statement locks or writes of the tables with an order, read from its text, its parameters and its result. The
 * texts are our own (Kysely's and `bulkStatement`'s), so a few patterns suffice.
 */

/** The tables in the order of `docs/architecture.md`. */
export const orderedTables = ['relays', 'incidents', 'channel_queues', 'outbox', 'message_updates'] as const;
export type OrderedTable = (typeof orderedTables)[number];

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number;
}

export interface Access {
  readonly table: OrderedTable;
  /** The rows by name, in the order in which they are locked; undefined: which rows they are is not in the statement. */
  readonly keys: readonly string[] | undefined;
  /** Whether the statement may wait for another transaction, as it locks rows that exist. */
  readonly waits: boolean;
  /** Whether the statement itself says in which order its rows are locked. */
  readonly inOrder: boolean;
}

/** The columns that name a row, each list by itself. */
const keyColumns: Readonly<Record<OrderedTable, readonly (readonly string[])[]>> = {
  relays: [['id']],
  incidents: [['post_key']],
  channel_queues: [['installation', 'team', 'channel']],
  outbox: [['seq'], ['key']],
  message_updates: [['post_seq']],
};

const verbs = new RegExp(
  `\\b(insert into|update|delete from) (${orderedTables.join('|')})\\b(?= (?:as |set |where |from |using |\\())|$`,
  'g',
);

/** Most statements only read: they are not worth parsing. */
const changesOrLocks = /\b(?:insert|update|delete)\b/i;

/** The accesses of a statement in the order of its text; those of one `with` run in no order. */
export function accessesOf(statement: Statement): readonly Access[] {
  if (!changesOrLocks.test(statement.text)) {
    return [];
  }
  const text = statement.text.replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase();
  const found = [...text.matchAll(verbs)].filter(([all]) => all !== '');
  const writes = found.map((match, at): Access => {
    const part = text.slice(match.index, found[at + 1]?.index ?? text.length);
    const table = match[2] as OrderedTable;
    const isInsert = match[1] === 'insert into';
    return {
      table,
      keys: keysOf(table, part, statement),
      waits: !isInsert || part.includes('do update'),
      inOrder: part.includes(' order by '),
    };
  });
  const lock = /\bfor (?:no key )?update(?: of (\w+))?( skip locked| nowait)?/.exec(text);
  const table = lock && (lock[1] ?? /\bfrom (\w+)/.exec(text)?.[1]);
  return lock && isOrdered(table)
    ? [
        ...writes,
        {
          table,
          keys: keysOf(table, text, statement),
          waits: lock[2] === undefined,
          inOrder: text.includes(' order by '),
        },
      ]
    : writes;
}

/** Whether a statement changed or locked a row. */
export function touchesRows({ text, rows, rowCount, values }: Statement): boolean {
  return /^\s*with part0/.test(text) ? values.some((value) => value !== '[]') : rowCount > 0 || rows.length > 0;
}

function isOrdered(table: string | null | undefined): table is OrderedTable {
  return (orderedTables as readonly unknown[]).includes(table);
}

function keysOf(table: OrderedTable, part: string, { rows, values }: Statement): readonly string[] | undefined {
  const sources = [
    rows,
    ...[...part.matchAll(/\$(\d+)/g)].map(([, n]) => rowsIn(values[Number(n) - 1])),
    insertedRows(part, values),
    namedRows(part, values),
  ];
  for (const columns of keyColumns[table]) {
    for (const source of sources) {
      const named = source.filter((row) => columns.every((column) => row[column] != null));
      if (named.length > 0) {
        return [...new Set(named.map((row) => columns.map((column) => `${row[column]}`).join(':')))];
      }
    }
  }
  return undefined;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** The rows of a `bulkStatement`. */
function rowsIn(value: unknown): Rows {
  if (typeof value !== 'string' || !value.startsWith('[{')) {
    return [];
  }
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed : [];
}

/** `insert into t (a, b) values ($1, $2), ($3, $4)` */
function insertedRows(part: string, values: readonly unknown[]): Rows {
  const [, names, tuples] = /^insert into \w+ \(([^)]*)\) values (.*)/.exec(part) ?? [];
  const columns = names?.split(', ') ?? [];
  return [...(tuples ?? '').matchAll(/\(((?:\$\d+(?:, )?)+)\)/g)].map(([, tuple]) =>
    Object.fromEntries((tuple ?? '').split(', ').map((name, at) => [columns[at] ?? '', parameter(name, values)])),
  );
}

/** `where a = $1 and b in ($2, $3)`: one row, or one for each of a list. */
function namedRows(part: string, values: readonly unknown[]): Rows {
  const where = part.slice(part.indexOf(' where '));
  const one = Object.fromEntries(
    [...where.matchAll(/(?:\w+\.)?(\w+) = (\$\d+)/g)].map(([, column, name]) => [column, parameter(name, values)]),
  );
  const lists = [...where.matchAll(/(?:\w+\.)?(\w+) in \(((?:\$\d+(?:, )?)+)\)/g)];
  return [
    one,
    ...lists.flatMap(([, column, names]) =>
      (names ?? '').split(', ').map((name) => ({ [column ?? '']: parameter(name, values) })),
    ),
  ];
}

function parameter(name: string | undefined, values: readonly unknown[]): unknown {
  return values[Number(name?.slice(1)) - 1];
}
