/** The question before an upload: the file is read, checked and compared with the database, and nothing is sent. */
import { z } from 'zod';
import { databases } from '../../../codereadr/operations/index.js';
import type { InputOf, OutputOf } from '../../../codereadr/operations/operation.js';
import type { Account } from '../../../codereadr/types.js';
import { countOf } from '../../../english.js';
import { bold, escaped, textMessage } from '../../block-kit/text.js';
import { encode } from '../../bolt/metadata.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import type { FormFile } from '../../forms/view-state.js';
import { readFile } from '../files/files.js';
import { formModal, rawValue } from '../metadata.js';
import { checkValues } from './check-values.js';
import { comparisonWith } from './compare-values.js';
import { uploadView } from './upload-view.js';

export const uploadOperation = databases.upload;
export const { maxBytes: largestUpload } = uploadOperation.input.csvfile;

/** The form's metadata, with its file and what else was entered. */
export const uploadModal = formModal.extend({
  input: z.record(z.string(), rawValue),
  names: z.record(z.string(), z.string()),
});
export type UploadMetadata = z.output<typeof uploadModal>;

export interface EnteredUpload {
  readonly metadata: z.output<typeof formModal>;
  readonly file: FormFile;
  /** The entered values. The content of the file is not among them yet. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly names: Readonly<Record<string, string>>;
}

/** Checks the file, and shows the question. @throws FileError; AccountError */
export async function askUpload(
  { deps, modal, client, actor, postPrivately }: ViewContext,
  account: Account,
  { metadata, file, input, names }: EnteredUpload,
): Promise<void> {
  await modal.show(savingView(uploadOperation.title, escaped(`Checking ${file.name}…`)));
  const bytes = await readFile({ client, config: deps.config, clock: deps.clock }, file, largestUpload);
  const entered = input as Pick<InputOf<typeof uploadOperation>, 'database_id' | 'trim_value'>;
  const database = await databaseOf(account, entered.database_id);
  const trims = entered.trim_value !== false;
  const checked = await checkValues(bytes, {
    maxBytes: largestUpload,
    trims,
    caseSensitive: database.caseSensitive,
    comparison: await comparisonWith({ ...deps, account, owner: actor.owner }, database),
  });
  const { csvfile: _, ...others } = input;
  const question = {
    ...metadata,
    files: { csvfile: file },
    input: others,
    names: { ...names, csvfile: file.name },
  } as UploadMetadata;
  const shown = { file: file.name, database: database.name, trims };
  if (!(await modal.show(uploadView(checked, shown, encode(uploadModal, question))))) {
    const values = countOf(checked.count, 'value');
    await postPrivately(
      textMessage(
        [bold(`${file.name} wasn’t uploaded: the window was closed while Scandesk checked it.`)],
        `It has ${values} for ${database.name}. To upload it, open the form again, and wait for the question.`,
      ),
    );
  }
}

type Database = OutputOf<typeof databases.retrieve>['databases'][number];

export async function databaseOf(
  { client }: Account,
  id: string,
): Promise<Pick<Database, 'id' | 'name' | 'count' | 'caseSensitive'>> {
  const answer = await client.call(databases.retrieve, { database_id: [id] });
  return answer.databases.find((database) => database.id === id) ?? { id, name: 'the database' };
}
