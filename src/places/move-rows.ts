/**
 * Writes of folded moves: the rows of some barcodes are replaced, and the running count is made anew from the minutes of
 * changed moves up: minute, hour, day, whole run.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { bulkStatement, runTogether } from '../database/bulk.js';
import { chunksOf } from '../database/chunks.js';
import type { PlaceMovesTable, Schema } from '../database/schema.js';
import type { PlaceMove } from './moves.js';

/** The lengths of the spans that are counted, in minutes. */
export const hourMinutes = 60;
export const dayMinutes = 24 * hourMinutes;

const placeParts = {
  run: 'text',
  key: 'text',
  barcode: 'text',
  value: 'text',
  at: 'bigint',
  scan_id: 'text',
  gate: 'text',
  user_id: 'text',
  pruned: 'bigint',
  holder: 'text',
  due_at: 'bigint',
  due_text: 'text',
  response: 'text',
} as const;
const moveColumns = { ...placeParts, entering: 'bigint', change: 'bigint', recorded: 'bigint' } as const;
const moveNames = Object.keys(moveColumns).join(', ');
const insertMoves = bulkStatement(
  moveColumns,
  ({ input }) => `insert into place_moves (${moveNames}) select ${moveNames} from ${input}`,
);

const placeColumns = { ...placeParts, inside: 'bigint' } as const;
const placeNames = Object.keys(placeColumns).join(', ');
const placeKey = { run: 'text', key: 'text', barcode: 'text' } as const;
const placeChanges = Object.keys(placeColumns).filter((column) => !(column in placeKey));
const putPlaces = bulkStatement(
  placeColumns,
  ({ input }) => `insert into places (${placeNames}) select ${placeNames} from ${input} where true
    on conflict (run, key, barcode) do update set ${placeChanges.map((column) => `${column} = excluded.${column}`).join(', ')}`,
);
const deleteRows = <Key extends Readonly<Record<string, 'text' | 'bigint'>>>(table: string, key: Key) => {
  const names = Object.keys(key).join(', ');
  return bulkStatement(key, ({ input }) => `delete from ${table} where (${names}) in (select ${names} from ${input})`);
};
const deletePlaces = deleteRows('places', placeKey);
const deleteMoves = deleteRows('place_moves', { run: 'text', key: 'text', at: 'bigint', scan_id: 'text' });

const minuteColumns = { run: 'text', minute: 'bigint' } as const;
const deleteMinutes = deleteRows('place_minutes', minuteColumns);

/** Moves of one moment count together, so that no order within it decides how many were inside. */
const countMinutes = bulkStatement(
  minuteColumns,
  ({ input }) => `
    insert into place_minutes (run, minute, ins, outs, outs_alone, ins_again, change, high)
    select run, minute, sum(entering), sum(1 - entering), sum(case when entering = 0 and change = 0 then 1 else 0 end),
      sum(case when entering = 1 and change = 0 then 1 else 0 end), sum(change), max(running)
    from (select m.run, input.minute, m.entering, m.change,
        sum(m.change) over (partition by m.run, input.minute order by m.at) as running
      from ${input} join place_moves as m on m.run = input.run
        and m.at >= input.minute * 60000 and m.at < (input.minute + 1) * 60000) as counted
    group by run, minute`,
);

const spanColumns = { run: 'text', minutes: 'bigint', start: 'bigint' } as const;
const deleteSpans = deleteRows('place_spans', spanColumns);
const counts = ['ins', 'outs', 'outs_alone', 'ins_again', 'change'] as const;

/** Counts spans by the rows of their parts. `at` and `highAt`: a part's beginning, and the minute of its peak. */
const countSpans = (parts: string, at: string, highAt: string) =>
  bulkStatement(
    spanColumns,
    ({ input }) => `
      insert into place_spans (run, minutes, start, ${counts.join(', ')}, high, high_at)
      select run, minutes, start, ${counts.map((count) => `sum(${count})`).join(', ')}, max(top),
        min(case when top = most then high_at end)
      from (select ranked.*, max(top) over (partition by run, start) as most from (
          select input.run, input.minutes, input.start, ${counts.map((count) => `part.${count}`).join(', ')},
            part.${highAt} as high_at,
            sum(part.change) over (partition by input.run, input.start order by part.${at}) - part.change + part.high as top
          from ${input} join ${parts}) as ranked) as counted
      group by run, minutes, start`,
  );
const within = (at: string) =>
  `part.run = input.run and part.${at} >= input.start and part.${at} < input.start + input.minutes`;

/** The lengths of spans in minutes, 0 for the whole run, and how each is counted: by the spans of the one before. */
const spanLevels = [
  [hourMinutes, countSpans(`place_minutes as part on ${within('minute')}`, 'minute', 'minute')],
  [
    dayMinutes,
    countSpans(`place_spans as part on ${within('start')} and part.minutes = ${hourMinutes}`, 'start', 'high_at'),
  ],
  [0, countSpans(`place_spans as part on part.run = input.run and part.minutes = ${dayMinutes}`, 'start', 'high_at')],
] as const;

const gateColumns = { run: 'text', gate: 'text', ins: 'bigint', outs: 'bigint' } as const;
const addToGates = bulkStatement(
  gateColumns,
  ({ input }) => `insert into place_gates (run, minute, gate, ins, outs)
    select run, 0, gate, ins, outs from ${input} where true on conflict (run, minute, gate)
    do update set ins = place_gates.ins + excluded.ins, outs = place_gates.outs + excluded.outs`,
);
const dropGates = bulkStatement(
  gateColumns,
  ({ input }) => `delete from place_gates where ins = 0 and outs = 0 and minute = 0
    and (run, gate) in (select run, gate from ${input})`,
);

const minuteMs = 60_000;
const rowsAtOnce = 500;

/** The stored moves of barcodes with these keys. */
export async function storedMoves(
  db: Kysely<Schema>,
  run: string,
  keys: readonly string[],
): Promise<readonly PlaceMove[]> {
  const rows: Selectable<PlaceMovesTable>[] = [];
  for (const some of chunksOf(keys, rowsAtOnce)) {
    rows.push(
      ...(await db.selectFrom('place_moves').selectAll().where('run', '=', run).where('key', 'in', some).execute()),
    );
  }
  return rows.map((row) => ({
    scanId: row.scan_id,
    key: row.key,
    barcode: row.barcode,
    value: row.value,
    at: row.at,
    entering: row.entering === 1,
    gate: row.gate,
    user: row.user_id,
    change: row.change,
    recorded: row.recorded === 1,
    pruned: row.pruned === 1,
    holder: row.holder,
    dueAt: row.due_at,
    dueText: row.due_text,
    response: row.response,
  }));
}

/**
 * Replaces the moves of some barcodes. @param movesBefore their stored moves
 * @param moves all their present moves, those of each barcode in order
 * @returns the new and changed moves, and whether any were new, changed or deleted
 */
export async function replaceMoves(
  trx: Transaction<Schema>,
  run: string,
  movesBefore: readonly PlaceMove[],
  moves: readonly PlaceMove[],
): Promise<{ readonly newMoves: ReadonlySet<PlaceMove>; readonly isChanged: boolean }> {
  const nameOf = (move: PlaceMove) => JSON.stringify(toRow(run, move));
  const [namesBefore, namesNow] = [new Set(movesBefore.map(nameOf)), new Set(moves.map(nameOf))];
  const goneMoves = movesBefore.filter((move) => !namesNow.has(nameOf(move)));
  const newMoves = moves.filter((move) => !namesBefore.has(nameOf(move)));
  const changes = new Map([...goneMoves, ...newMoves].map(({ key, barcode }) => [barcode, { run, key, barcode }]));
  const newest = new Map(moves.filter(({ barcode }) => changes.has(barcode)).map((move) => [move.barcode, move]));
  await runTogether(trx, [
    deleteMoves.withRows(goneMoves.map(({ key, at, scanId }) => ({ run, key, at, scan_id: scanId }))),
    deletePlaces.withRows([...changes.values()].filter(({ barcode }) => !newest.has(barcode))),
  ]);
  await runTogether(trx, [
    insertMoves.withRows(newMoves.map((move) => toRow(run, move))),
    putPlaces.withRows([...newest.values()].map((move) => ({ ...toRow(run, move), inside: Number(move.entering) }))),
  ]);
  const minutes = [...goneMoves, ...newMoves].map(({ at }) => Math.floor(at / minuteMs));
  await countAnew(trx, run, minutes);
  await countGates(trx, run, goneMoves, newMoves);
  return { newMoves: new Set(newMoves), isChanged: goneMoves.length + newMoves.length > 0 };
}

/** Counts the minutes anew, then the hours and days around them, and the whole run. */
async function countAnew(trx: Transaction<Schema>, run: string, minutes: readonly number[]): Promise<void> {
  const rows = [...new Set(minutes)].map((minute) => ({ run, minute }));
  await deleteMinutes(trx, rows);
  await countMinutes(trx, rows);
  for (const [length, count] of spanLevels) {
    const starts = new Set(rows.map(({ minute }) => (length === 0 ? 0 : minute - (minute % length))));
    const spans = [...starts].map((start) => ({ run, minutes: length, start }));
    await deleteSpans(trx, spans);
    await count(trx, spans);
  }
}

async function countGates(
  trx: Transaction<Schema>,
  run: string,
  goneMoves: readonly PlaceMove[],
  newMoves: readonly PlaceMove[],
): Promise<void> {
  const gates = new Map<string, { run: string; gate: string; ins: number; outs: number }>();
  for (const [moves, sign] of [[goneMoves, -1] as const, [newMoves, 1] as const]) {
    for (const { gate, entering } of moves) {
      const count = gates.get(gate) ?? { run, gate, ins: 0, outs: 0 };
      gates.set(gate, count);
      count[entering ? 'ins' : 'outs'] += sign;
    }
  }
  const changed = [...gates.values()].filter(({ ins, outs }) => ins !== 0 || outs !== 0);
  await addToGates(trx, changed);
  await dropGates(
    trx,
    changed.filter(({ ins, outs }) => ins < 0 || outs < 0),
  );
}

function toRow(run: string, move: PlaceMove) {
  const { key, at, scanId, barcode, value, entering, gate, user, change, recorded, pruned } = move;
  const { holder, dueAt, dueText, response } = move;
  return {
    run,
    key,
    at,
    scan_id: scanId,
    barcode,
    value,
    entering: Number(entering),
    gate,
    user_id: user,
    change,
    recorded: Number(recorded),
    pruned: Number(pruned),
    holder,
    due_at: dueAt,
    due_text: dueText,
    response,
  };
}
