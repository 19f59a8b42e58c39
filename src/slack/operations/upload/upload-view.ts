/** The question before a file of values is uploaded: how many values, what is new, and what to look at first. Pure. */
import { countOf, firstOf, plural } from '../../../english.js';
import { type Block, cut, divider, type ModalView, modalView, option, plain } from '../../block-kit/elements.js';
import {
  barcodeElement,
  bold,
  bulletList,
  type LinePart,
  momentAfter,
  richText,
  visible,
} from '../../block-kit/text.js';
import type { CheckedValues } from './check-values.js';
import type { Finding, FindingKind } from './findings.js';
import type { ValueRow } from './value-file.js';

export const uploadCallback = 'upload.confirm';
export const headerBlock = 'upload.header';
export const leaveOut = 'leave_out';

const longestExample = 60;

export function uploadView(
  checked: CheckedValues,
  { file, database, trims }: { readonly file: string; readonly database: string; readonly trims: boolean },
  metadata: string,
): ModalView {
  const { count, likelyHeader, first } = checked;
  const lines = order.flatMap((kind) => {
    const finding = checked.findings(kind);
    return finding ? [findingLine(finding, trims)] : [];
  });
  return modalView(
    'Upload these values?',
    [
      richText(
        [bold(countOf(count, 'value')), ` from ${cut(visible(file), 100)} to `, bold(cut(database, 100))],
        knownLine(checked),
      ),
      bulletList(first.map(rowLine)),
      ...(likelyHeader ? [headerQuestion(likelyHeader)] : []),
      ...(lines.length > 0 ? [divider, richText([bold('Look at this first')]), bulletList(lines)] : []),
    ],
    { callback_id: uploadCallback, submit: 'Upload', close: 'Cancel', private_metadata: metadata },
  );
}

function knownLine({ known, count }: CheckedValues): LinePart[] {
  if (!known) {
    return [
      'Scandesk keeps no copy of this database, so it can’t say which of them are new. A barcode that is there already gets the response and validity of the file. Nothing has been sent to the account yet.',
    ];
  }
  const figure = (number: number, words: string) => (number > 0 ? [`${number.toLocaleString('en-US')} ${words}`] : []);
  const parts =
    known.same === count
      ? ['All are there already, unchanged']
      : [
          ...figure(known.new, 'new'),
          ...figure(known.changed, 'changed'),
          ...figure(known.same, 'unchanged'),
          ...figure(known.unknown, 'not known to be new'),
        ];
  return [parts.join(' · '), momentAfter(', as of ', known.asOf), '. Nothing has been sent to the account yet.'];
}

function rowLine({ cells: { value, response, validity } }: ValueRow): LinePart[] {
  return [
    barcodeElement(cut(value, 100)),
    ...(response === '' ? [] : [` · ${cut(visible(response), longestExample)}`]),
    ...(validity === '0' ? [' · not valid'] : []),
  ];
}

function headerQuestion(cells: readonly string[]): Block {
  const leave = option('It’s a heading: leave it out', leaveOut);
  return {
    type: 'input',
    block_id: headerBlock,
    label: plain(cut(`The first line is “${visible(cells.join(', '))}”`, 150)),
    element: {
      type: 'radio_buttons',
      action_id: headerBlock,
      options: [leave, option('It’s a value: upload it too', 'upload')],
      initial_option: leave,
    },
  };
}

const order: readonly FindingKind[] = [
  ...(['twice', 'invisible', 'number', 'spreadsheet_error', 'apostrophe', 'not_exact', 'column', 'spaces'] as const),
  ...(['no_response', 'windows_1252', 'apostrophe_removed', 'first_sheet'] as const),
];

function findingLine({ kind, count, places }: Finding, trims: boolean): string {
  const barcodes = countOf(count, 'barcode');
  const [is, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  const has = count === 1 ? 'has' : 'have';
  const shown = places.map(
    ({ line, example }) => `line ${line.toLocaleString('en-US')}: ${cut(visible(example), longestExample)}`,
  );
  const where = shown.length > 0 ? ` (${firstOf(shown, count - shown.length)})` : '';
  const texts: Readonly<Record<FindingKind, string>> = {
    apostrophe: `${barcodes} ${plural(count, 'begins', 'begin')} with an apostrophe, which stays part of ${them}${where}.`,
    apostrophe_removed: `Scandesk’s export put an apostrophe before ${countOf(count, 'text')}. It was taken off${where}.`,
    column: `What is beyond barcode, response and valid isn’t uploaded${where}.`,
    first_sheet: 'Only the first sheet was read.',
    invisible: `${barcodes} ${has} characters that nobody sees, which stay part of ${them}${where}.`,
    no_response: 'The file has no responses: barcodes that are there already lose theirs.',
    not_exact: `${countOf(count, 'line')} ${is} left out: the account doesn’t show ${count === 1 ? 'this barcode' : 'these barcodes'} whole, and would get another one${where}.`,
    number: `${barcodes} ${is} a number in the spreadsheet, so zeros before ${them} may be missing${where}.`,
    shortened: `${barcodes} lost digits${where}.`,
    spaces: `Spaces before or after ${barcodes} ${trims ? 'are removed' : `stay part of ${them}`}${where}.`,
    spreadsheet_error: `${barcodes} ${is} a spreadsheet’s error${where}.`,
    twice: `${barcodes} ${is} there twice. The last line counts${where}.`,
    windows_1252: `The file isn’t UTF-8 and was read as Windows-1252. Check its letters${where}.`,
  };
  return texts[kind];
}
