/** The upload of a file into the account, with its progress in the modal: bytes sent, import, number of values. */
import { databases } from '../../../codereadr/operations/index.js';
import type { FileInput, Operation } from '../../../codereadr/operations/operation.js';
import { AccountError } from '../../../codereadr/types.js';
import { countOf } from '../../../english.js';
import { codeOf } from '../../../errors.js';
import { cut } from '../../block-kit/elements.js';
import { escaped, visible } from '../../block-kit/text.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import { accountOf } from '../../connection/account.js';
import type { FormFile } from '../../forms/view-state.js';
import type { Values } from '../types.js';
import { type CheckedValues, checkValues, uploadedValues } from './csv-values.js';
import { type FileSource, inMegabytes, openFile, withByteCount } from './files.js';

/** Slack allows about one update of a modal per second. */
const progressEveryMs = 1_000;

export interface FileUpload {
  readonly file: FileInput;
  /** The notes about the file, shown once it is uploaded. */
  readonly notes: readonly string[];
  /** Ends progress updates and the download. */
  end(): Promise<void>;
}

/** Opens the file for the upload, once a file of values is checked as a whole. @throws FileError */
export async function startUpload(
  context: ViewContext,
  operation: Operation,
  formFile: FormFile,
  maxBytes: number,
): Promise<FileUpload> {
  const { deps, modal, client, reference } = context;
  const source = { client, config: deps.config, clock: deps.clock };
  const isValues = operation === databases.upload;
  if (isValues) {
    await modal.show(savingView(operation.title, escaped(`Checking ${formFile.name}…`)));
  }
  const checkedFile = isValues ? await checkFile(source, formFile, maxBytes) : undefined;
  const openedFile = await openFile(source, formFile, maxBytes);
  let shownAt = 0;
  let isEnded = false;
  let showing: Promise<unknown> = Promise.resolve();

  function showLine(line: string): void {
    shownAt = deps.clock.now();
    showing = showing.then(async () => {
      if (isEnded) return;
      await modal.show(savingView(operation.title, escaped(line))).catch((error: unknown) => {
        deps.log.info({ code: codeOf(error), reference }, 'upload progress could not be shown');
      });
    });
  }

  const fileText = checkedFile
    ? `: ${countOf(checkedFile.count, 'value')}, starting with ${checkedFile.firstBarcodes.map((value) => cut(visible(value), 40)).join(', ')}`
    : '';
  showLine(`Uploading ${formFile.name} (${inMegabytes(formFile.size)})${fileText}…`);
  const content = withByteCount(openedFile.pieces, (bytes) => {
    if (bytes >= formFile.size) {
      showLine(`${formFile.name} uploaded. The account is importing it…`);
    } else if (deps.clock.now() - shownAt >= progressEveryMs) {
      showLine(
        `Uploading ${formFile.name}: ${Math.floor((bytes / formFile.size) * 100)}% of ${inMegabytes(formFile.size)}…`,
      );
    }
  });
  return {
    file: { name: formFile.name, type: formFile.type, content: isValues ? uploadedValues(content) : content },
    notes: checkedFile?.hasHeader ? ['The first line was read as the names of the columns.'] : [],
    async end() {
      isEnded = true;
      openedFile.close();
      await showing;
    },
  };
}

/** Reads the whole file once, so that nothing is sent of a file with an error anywhere. @throws FileError */
async function checkFile(source: FileSource, file: FormFile, maxBytes: number): Promise<CheckedValues> {
  const opened = await openFile(source, file, maxBytes);
  try {
    return await checkValues(opened.pieces);
  } finally {
    opened.close();
  }
}

/** The number of values after an import. If it cannot be read, the upload has succeeded all the same. */
export async function countAfter(
  { deps, actor, modal }: ViewContext,
  operation: Operation,
  input: Values,
): Promise<readonly string[]> {
  if (typeof input.database_id !== 'string') {
    return [];
  }
  if (input.is_deferred === true) {
    return [
      'The account is importing the file in the background. Check the number of values in the database in a few minutes.',
    ];
  }
  await modal.show(savingView(operation.title, 'Imported. Counting the values…'));
  try {
    const { client } = await accountOf(deps, actor.owner);
    const answer = await client.call(databases.retrieve, { database_id: [input.database_id] });
    const found = answer.databases.find(({ id }) => id === input.database_id);
    return found?.count === undefined ? [] : [`${found.name} now has ${countOf(found.count, 'value')}.`];
  } catch (error) {
    if (error instanceof AccountError) {
      return ['The file was imported, but the number of values couldn’t be read.'];
    }
    throw error;
  }
}
