/**
 * The command `/barcode make VALUE`: makes a QR code, visible to the person alone until they share it.
 * Without a value it opens the generator's form.
 */
import { barcode } from '../../codereadr/operations/index.js';
import { encode } from '../bolt/metadata.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { emptyQuotesMessage, tooLongMessage } from '../lookup/card/barcode-hints.js';
import { parseBarcode } from '../lookup/parse-barcodes.js';
import { openOperationForm, performOperation } from '../operations/index.js';
import { generatorFormData } from './after-generate.js';
import { creatingMessage } from './message.js';
import { storeImage } from './record-store.js';

/** The usual image is sharp on any screen, and large enough for a phone to scan it there. */
export const usualLook = { barcodetype: 'qr', filetype: 'PNG', size: 6 } as const;

export const make: Subcommand = {
  name: 'make',
  usage: 'make [VALUE]',
  description: 'Create a QR code. Leave VALUE blank to choose the type, text, logo and size',
  role: 'everyone',
  prepare(text) {
    return text.trim() === ''
      ? { modalTitle: barcode.generate.title, run: openForm }
      : { run: (context) => makeFrom(context, text) };
  },
};

async function openForm(context: CommandContext): Promise<void> {
  await openOperationForm(context, {
    operation: barcode.generate,
    prefill: { size: usualLook.size },
    usual: usualLook,
    after: { name: 'barcode.made', value: encode(generatorFormData, {}) },
  });
}

/** The generator draws shorter texts than a scan may hold. */
const longestDrawn = barcode.generate.input.value.max;

async function makeFrom(context: CommandContext, text: string): Promise<void> {
  const read = parseBarcode(text);
  switch (read.kind) {
    case 'empty_quotes':
      return context.respond(emptyQuotesMessage());
    case 'too_long':
      return context.respond(tooLongMessage(read.length, longestDrawn));
    case 'value': {
      const { length } = [...read.value];
      return length > longestDrawn ? context.respond(tooLongMessage(length, longestDrawn)) : draw(context, read.value);
    }
  }
}

async function draw(context: CommandContext, value: string): Promise<void> {
  const { respond, slowNotice } = context;
  slowNotice.set(creatingMessage(value));
  const input = { value, ...usualLook };
  await respond(await storeImage(context, await performOperation(context, barcode.generate, input), input));
}
