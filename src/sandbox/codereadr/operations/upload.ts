/** `databases/upload`: the check of the file, and its import now or later. */
import { Refusal } from '../answer/refusal.js';
import { databaseOf } from './databases-read.js';
import type { Handler } from './operation.js';

/** Handles an upload. @throws Refusal 104 (no file at all), 105, 1019, 1026, 1029 */
export const upload: Handler = async ({ account, variables, files, encoding, sql, imports }) => {
  const database = databaseOf(sql, account, variables);
  if (encoding !== 'multipart') throw new Refusal('104');
  const file = files.get('csvfile');
  if (!file) throw new Refusal('1029');
  if (file.isTruncated) throw new Refusal('105');
  if (!/\.csv$/i.test(file.name)) throw new Refusal('1026');
  const trim = variables.flag('trim_value') ?? true;
  if (variables.flag('is_deferred')) await imports.defer(database, file.path, trim);
  else await imports.run(database, file.path, trim);
  return [];
};
