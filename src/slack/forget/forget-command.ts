/** `/scandesk forget VALUE` shows what Scandesk keeps of a barcode and, once the person confirms, deletes that. */
import { codeOf } from '../../errors.js';
import { message } from '../block-kit/elements.js';
import { code, richText, textMessage } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { savingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { Runnable, Subcommand } from '../bolt/routing/commands.js';
import { modal } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { emptyQuotesMessage, tooLongMessage } from '../lookup/card/barcode-hints.js';
import { parseBarcode } from '../lookup/parse-barcodes.js';
import { countBarcode, forgetBarcode } from './forget-barcode.js';
import { confirmForgetView, forgetForm, forgetMetadata, forgetTitle, forgottenLines } from './forget-view.js';

export const forgetCommand: Subcommand = {
  name: 'forget',
  usage: 'forget VALUE',
  description: 'Delete what Scandesk keeps about a barcode',
  role: 'manager',
  prepare(text) {
    if (text.trim() === '') {
      return { run: ({ respond }) => respond(noBarcode) };
    }
    const read = parseBarcode(text);
    switch (read.kind) {
      case 'empty_quotes':
        return { run: ({ respond }) => respond(emptyQuotesMessage()) };
      case 'too_long':
        return { run: ({ respond }) => respond(tooLongMessage(read.length)) };
      case 'value':
        return confirming(read.value);
    }
  },
};

function confirming(value: string): Runnable {
  return {
    modalTitle: forgetTitle,
    async run({ deps, actor, modal: window }) {
      await window.fill(forgetTitle, async () =>
        confirmForgetView({ value, channel: actor.channelId }, await countBarcode(deps, actor.owner, value)),
      );
    },
  };
}

const noBarcode = textMessage(['Which barcode? Type it after the command: ', code('/scandesk forget VALUE')]);

export const forgetSubmitted = modal('forget.confirm', {
  role: 'manager',
  metadata: forgetMetadata,

  fields: ({ view }) => ({
    show: savingView(forgetTitle, 'Forgetting…'),
    input: forgetForm.read(formStateIn(view), {}),
  }),

  async run(context, { counts }) {
    const { deps, actor, metadata, modal: window } = context;
    const keepCounts = counts?.includes('keep') ?? false;
    // A barcode that is forgotten is not named in the audit log either.
    const entry = { what: 'workspace/forget' };
    try {
      const stop = new AbortController().signal;
      const forgotten = await forgetBarcode(deps, actor.owner, metadata.value, { keepCounts, stop });
      await record(context, { ...entry, detail: { ...forgotten, countsKept: keepCounts } });
      const [what, more] = forgottenLines(forgotten, { keepCounts });
      if (!(await window.showOutcome(noticeView('Barcode forgotten', what, more)))) {
        await context.postPrivately(message(what, [richText(what, more)]));
      }
    } catch (error) {
      await record(context, { ...entry, outcome: codeOf(error) ?? 'unknown' });
      throw error;
    }
  },
});
