/** The confirmed upload of a file of values: it is read again and sent; the modal shows its outcome. */
import { parseInput } from '../../../codereadr/operations/check.js';
import type { InputOf } from '../../../codereadr/operations/operation.js';
import { AccountError } from '../../../codereadr/types.js';
import { countOf } from '../../../english.js';
import { escaped } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged, ViewContext } from '../../bolt/routing/context.js';
import { type Listener, modal } from '../../bolt/routing/listeners.js';
import { accountOf } from '../../connection/account.js';
import { formStateIn } from '../../forms/view-state.js';
import { readFile } from '../files/files.js';
import { performChecked } from '../perform.js';
import { finish } from '../result/finish.js';
import type { Afterwards } from '../types.js';
import { databaseOf, largestUpload, type UploadMetadata, uploadModal, uploadOperation } from '../upload/ask-upload.js';
import { createFindings } from '../upload/findings.js';
import { headerBlock, leaveOut, uploadCallback } from '../upload/upload-view.js';
import { openValues, uploadedValues } from '../upload/value-file.js';
import { operationForm } from './operation-form.js';
import { nameSent } from './read-form.js';
import { redraw } from './redraw.js';

/** The submission of the question sends the file. An error of the account shows the form again, with the file. */
export function uploadConfirmed(afterSteps: Afterwards): Listener {
  return modal(uploadCallback, {
    role: 'manager',
    metadata: uploadModal,
    fields: ({ view, metadata }): Acknowledged<{ readonly skipsFirst: boolean }> => ({
      show: savingView(
        uploadOperation.title,
        escaped(`Uploading ${metadata.files?.csvfile?.name ?? ''}. The account is importing it…`),
      ),
      input: { skipsFirst: formStateIn(view).choice(headerBlock) === leaveOut },
    }),
    run: (context, choice) => send(context, choice, afterSteps),
  });
}

async function send(
  context: ViewContext<UploadMetadata>,
  choice: { readonly skipsFirst: boolean },
  afterSteps: Afterwards,
): Promise<void> {
  const { deps, client, metadata: question } = context;
  const { input, names, ...metadata } = question;
  const file = metadata.files?.csvfile;
  if (!file) {
    throw new SlackError('slack.state', 'an upload without its file');
  }
  try {
    const bytes = await readFile({ client, config: deps.config, clock: deps.clock }, file, largestUpload);
    const findings = createFindings();
    const { rows } = await openValues(bytes, findings, choice);
    const pieces: Uint8Array[] = [];
    for await (const piece of uploadedValues(rows)) {
      pieces.push(piece);
    }
    const name = nameSent(uploadOperation.input.csvfile, file.name);
    const csvfile = { name, type: 'text/csv', content: Buffer.concat(pieces) };
    const parsed = parseInput(uploadOperation, { ...input, csvfile });
    if (!parsed.ok) {
      throw new SlackError('slack.state', 'the confirmed input of an upload is not valid');
    }
    const sent = parsed.input as InputOf<typeof uploadOperation>;
    const output = await performChecked(context, uploadOperation, sent, { connectedAt: metadata.since });
    const also = await countAfter(context, sent);
    await finish(context, { operation: uploadOperation, input: sent, output, also, names }, metadata.after, afterSteps);
  } catch (error) {
    const { form } = operationForm(uploadOperation, metadata);
    await redraw(
      context,
      { operation: uploadOperation, metadata, draft: form.draft({ files: metadata.files, values: input }) },
      error,
    );
  }
}

/** The number of values after an import. If it cannot be read, the upload has succeeded all the same. */
async function countAfter(
  { deps, actor, modal: window }: ViewContext,
  { database_id: id, is_deferred: isDeferred }: InputOf<typeof uploadOperation>,
): Promise<readonly string[]> {
  if (isDeferred) {
    return [
      'The account is importing the file in the background. Check the number of values in the database in a few minutes.',
    ];
  }
  await window.show(savingView(uploadOperation.title, 'Imported. Counting the values…'));
  try {
    const { name, count } = await databaseOf(await accountOf(deps, actor.owner), id);
    return count === undefined ? [] : [`${name} now has ${countOf(count, 'value')}.`];
  } catch (error) {
    if (error instanceof AccountError) {
      return ['The file was imported, but the number of values couldn’t be read.'];
    }
    throw error;
  }
}
