/**
 * The effect on the mirror of changes that people make in the account through Scandesk. A changed value is unsure at
 * once, and read anew: a single one now, several by the next pass. Pages requested before a change do not undo it.
 */
import { asAnswered, rowOf } from '../codereadr/barcode-equality.js';
import { readExactValues } from '../codereadr/exact-values.js';
import { type Account, AccountError } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import { LeaseLost, MirrorError } from './errors.js';
import { mirrorKey } from './key.js';
import type { MirrorReader } from './reader.js';
import type { AccountMirrors } from './tables/accounts.js';
import type { DatabaseMirror, DatabaseMirrorStore } from './tables/databases.js';
import type { MirroredScans } from './tables/scans.js';

export interface AccountChange {
  readonly section: string;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether the account may not have made the change, or may make it later. */
  readonly unconfirmed?: boolean;
}

export type NoteChange = (owner: Owner, account: Account, change: AccountChange) => Promise<void>;

/** Actions that change the whole database: their input does not say which values. */
const wholeDatabase: ReadonlySet<string> = new Set(['clear', 'delete', 'upload']);

/** The spaces that the account trims from a value it stores, unless told otherwise. */
const edges = /^[ \t\n\r\0\x0b]+|[ \t\n\r\0\x0b]+$/g;

export function createNoteChange(deps: {
  readonly reader: Pick<MirrorReader, 'learnValue'>;
  readonly mirrors: AccountMirrors;
  readonly databases: DatabaseMirrorStore;
  readonly scans: MirroredScans;
  readonly refresh: (owner: Owner, databaseId: string) => Promise<void>;
  readonly unsettle: (owner: Owner, databaseId: string) => Promise<void>;
}): NoteChange {
  const { reader, mirrors, databases, scans, refresh, unsettle } = deps;

  const followScans = async (owner: Owner, { section, action, input, unconfirmed }: AccountChange): Promise<void> => {
    const mirror = await mirrors.of(owner);
    const deleted = section === 'scans' && action === 'delete';
    if (!mirror || input.scan_id === undefined) {
      return;
    }
    if (deleted && unconfirmed) {
      // An unconfirmed deletion is left to the next full pass, so that a scan that is still there is not lost.
      await mirrors.makeDue(mirror.id);
    } else if (deleted || section === 'scan_properties') {
      await scans.change(mirror.id, [input.scan_id].flat().map(String), deleted);
    }
  };

  /** Marks values as changed. @returns the mirror as of this change */
  const touch = async (
    owner: Owner,
    databaseId: string,
    values: readonly string[],
  ): Promise<DatabaseMirror | undefined> => {
    const mirror = (await databases.of(owner)).find((one) => one.databaseId === databaseId);
    const spellings = values.flatMap((value) => [value, value.replace(edges, '')]);
    const keys = mirror && spellings.flatMap((text) => [text, asAnswered(text)]).map((text) => mirrorKey(text, mirror));
    const changes = keys && (await databases.touch(mirror.id, keys));
    return changes === undefined ? undefined : { ...mirror!, changes };
  };

  const readAgain = async (account: Account, mirror: DatabaseMirror, value: string): Promise<boolean> => {
    try {
      const rows = await readExactValues(account.client, mirror.databaseId, value);
      await reader.learnValue(mirror, value, rowOf(rows, value, mirror.caseSensitive));
      // Where it is unknown whether case matters, another spelling may have changed too.
      return mirror.caseSensitive !== undefined;
    } catch (error) {
      // Errors are expected here: another account may be connected meanwhile, or a later change already read.
      if (error instanceof AccountError || error instanceof LeaseLost || error instanceof MirrorError) {
        return false;
      }
      throw error;
    }
  };

  return async (owner, account, change) => {
    const { section, action, input, unconfirmed } = change;
    if (section === 'scans' || section === 'scan_properties') {
      await followScans(owner, change);
      return;
    }
    if (section !== 'databases') {
      return;
    }
    if (wholeDatabase.has(action) && typeof input.database_id === 'string') {
      await unsettle(owner, input.database_id);
      return;
    }
    for (const [databaseId, values] of changedValues(input)) {
      const [value, ...others] = values;
      const mirror = value === undefined ? undefined : await touch(owner, databaseId, values);
      const isOne = mirror !== undefined && others.length === 0 && !unconfirmed;
      if (!(isOne && (await readAgain(account, mirror, value!)))) {
        await refresh(owner, databaseId);
      }
    }
  };
}

/** The changed values by database; an empty list where the change names none. */
function changedValues(input: AccountChange['input']): ReadonlyMap<string, readonly string[]> {
  const { database_id: fallback, value, values } = input;
  const changed = new Map<string, string[]>();
  const rows = Array.isArray(values) ? (values as readonly Readonly<Record<string, unknown>>[]) : [{ value }];
  for (const row of rows) {
    const databaseId = row.database_id ?? fallback;
    if (typeof databaseId === 'string') {
      const known = changed.get(databaseId) ?? [];
      changed.set(databaseId, typeof row.value === 'string' ? [...known, row.value] : known);
    }
  }
  return changed;
}
