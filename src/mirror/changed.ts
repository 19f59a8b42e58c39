/**
 * What people change in the account through Scandesk, for the mirror: a value is read anew at once, a whole database
 * soon, and deleted scans go.
 */

import { rowOf } from '../codereadr/barcode-equality.js';
import { noSuchValue } from '../codereadr/errors.js';
import { showValues } from '../codereadr/operations/index.js';
import type { Account } from '../codereadr/types.js';
import { AccountError } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import type { MirrorReader } from './reader.js';
import type { AccountMirrors } from './tables/accounts.js';
import type { MirroredScans } from './tables/scans.js';

export interface AccountChange {
  readonly section: string;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type NoteChange = (owner: Owner, account: Account, change: AccountChange) => Promise<void>;

export function createNoteChange(deps: {
  readonly reader: Pick<MirrorReader, 'view' | 'learnValue'>;
  readonly mirrors: AccountMirrors;
  readonly scans: MirroredScans;
  readonly refresh: (owner: Owner, databaseId: string) => Promise<void>;
}): NoteChange {
  const { reader, mirrors, scans, refresh } = deps;

  const readAnew = async (owner: Owner, account: Account, databaseId: string, value: string): Promise<void> => {
    const { databases } = await reader.view(owner);
    const mirror = databases.find((one) => one.databaseId === databaseId);
    if (mirror) {
      const rows = await valuesOf(account, databaseId, value);
      await reader.learnValue(mirror, value, rowOf(rows, value, mirror.caseSensitive));
    }
  };

  return async (owner, account, { section, action, input }) => {
    if (section === 'scans' && action === 'delete') {
      const mirror = await mirrors.of(owner);
      const ids = [input.scan_id].flat().map(String);
      await (mirror ? scans.forget(mirror.id, ids) : undefined);
      return;
    }
    if (section !== 'databases') {
      return;
    }
    const { database_id: databaseId, value, values } = input;
    if (typeof databaseId === 'string' && typeof value === 'string') {
      try {
        await readAnew(owner, account, databaseId, value);
        return;
      } catch (error) {
        if (!(error instanceof AccountError)) {
          throw error;
        }
      }
    }
    const named = Array.isArray(values) ? values.map((one: { database_id?: unknown }) => one.database_id) : [];
    for (const id of new Set([databaseId, ...named])) {
      await (typeof id === 'string' ? refresh(owner, id) : undefined);
    }
  };
}

async function valuesOf(account: Account, databaseId: string, value: string) {
  try {
    return (await account.client.call(showValues, { database_id: databaseId, value })).values;
  } catch (error) {
    if (error instanceof AccountError && error.apiCode === noSuchValue) {
      return [];
    }
    throw error;
  }
}
