/** The results of a search: the search in words, totals, chart, one page of scans, buttons. Pure. */
import { z } from 'zod';
import { countOf } from '../../english.js';
import { isDeletable, type SeenScan } from '../../lookup/index.js';
import { countOfResult, resultInText, resultWords } from '../../scans/result-words.js';
import {
  countIn,
  type ScanPosition,
  type ScanSearchAnswer,
  type SearchTotals,
  scanPosition,
} from '../../search/index.js';
import { addsToResult, resultSigns } from '../block-kit/describe-result.js';
import {
  actions,
  type Block,
  button,
  cut,
  type Message,
  type ModalView,
  message,
  modalView,
} from '../block-kit/elements.js';
import { serviceUserDevice } from '../block-kit/scan-rows.js';
import { scansAsOf } from '../block-kit/scans-as-of.js';
import { shortText } from '../block-kit/short-text.js';
import {
  barcodeElement,
  bold,
  type LinePart,
  momentAfter,
  momentElement,
  person,
  richText,
} from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { busiestText, chartBlock } from './chart.js';
import { meantWord, queryLine } from './describe-query.js';
import type { SearchRecord } from './search-record.js';

export const pageSize = 15;

/** The data of a button below the results. */
export const resultsData = z.object({ search: z.string(), after: scanPosition.optional() });

export interface Results {
  readonly record: SearchRecord;
  readonly answer: ScanSearchAnswer;
  /** Whether this is the first page: only that one has totals and the chart. */
  readonly isFirst: boolean;
  /** Whether the message has a chart, which Slack may refuse. */
  readonly chart: boolean;
  /** The position at which this page begins; unset: at the newest scan. */
  readonly after?: ScanPosition | undefined;
  /** The id of the stored search, for the buttons; unset in a message for everybody. */
  readonly search?: string | undefined;
  readonly sharedBy?: string;
  /** Whether the results are in a modal, from which nothing can be shared with the channel. */
  readonly inModal?: boolean;
}

export function resultsMessage(results: Results): Message {
  const { record, answer, isFirst, sharedBy } = results;
  const { totals } = record.answer;
  const chart = isFirst && results.chart ? chartBlock({ totals, unit: answer.unit, zone: record.zone }) : undefined;
  const blocks: Block[] = [
    richText(
      ...(record.saved === undefined ? [] : [[bold(record.saved)]]),
      queryLine(record.query),
      ...(isFirst ? [totalsLine(results, chart !== undefined)] : []),
    ),
    ...(chart ? [chart] : []),
    ...(answer.scans.length > 0
      ? [richText(...answer.scans.map((scan) => scanLine(scan, isResultSaid(results))))]
      : []),
    notes(results),
    ...(sharedBy === undefined ? [] : [richText(['Shared by ', person(sharedBy)])]),
    ...buttons(results),
  ];
  const total = countIn(totals);
  return message(`${total === 0 ? 'No scans' : countOf(total, 'scan')} found.`, blocks);
}

/** The results in a modal, without a chart: Slack draws charts in messages only. */
export function resultsView(results: Omit<Results, 'chart'>): ModalView {
  const { blocks } = resultsMessage({ ...results, chart: false, inModal: true });
  return modalView('Scans', blocks, { callback_id: 'scans.results' });
}

/**
 * "1,204 scans: 1,180 valid, 24 not valid · Busiest hour: 14:00 (212)"; "3 scans, all not valid", and "3 scans" where
 * the search is for one result. A chart shows the busiest hour itself.
 */
function totalsLine({ record, answer }: Results, hasChart: boolean): LinePart[] {
  const { totals } = record.answer;
  const total = countIn(totals);
  const foundResults = resultsIn(totals);
  const [[, onlyResult = 'valid'] = []] = foundResults;
  const outcomes =
    foundResults.length > 1
      ? `: ${foundResults.map(([count, result]) => countOfResult(count, result)).join(', ')}`
      : isForOneResult(record)
        ? ''
        : `, ${total === 1 ? '' : 'all '}${resultInText(onlyResult)}`;
  if (total === 0) {
    const meant = record.query.barcode?.match === 'contains' ? meantWord(record.query.barcode.text) : '';
    return [`Nothing found${answer.searchedTo ? ' so far' : ''}.${meant}`];
  }
  const busiest = hasChart ? undefined : busiestText({ totals, unit: answer.unit, zone: record.zone });
  return [`${countOf(total, 'scan')}${outcomes}${busiest === undefined ? '' : ` · ${busiest}`}`];
}

function resultsIn(totals: SearchTotals) {
  const results = [
    [totals.valid, 'valid'],
    [totals.invalid, 'invalid'],
    [totals.other, 'not_validated'],
  ] as const;
  return results.filter(([count]) => count > 0);
}

function isForOneResult({ query }: SearchRecord): boolean {
  return query.results?.length === 1;
}

/** Whether all scans have one result, which the lines above them say. */
function isResultSaid({ record, isFirst }: Results): boolean {
  return resultsIn(record.answer.totals).length === 1 && (isFirst || isForOneResult(record));
}

/**
 * A scan's line. The barcode comes first; the result is also a word, for people who do not see the emoji, unless all
 * scans have the same.
 */
function scanLine(scan: SeenScan, isSaid: boolean): readonly LinePart[] {
  const places = serviceUserDevice(scan);
  const word = resultWords[scan.status];
  const response = addsToResult(scan.result, word) ? [isSaid ? ' · ' : ': ', shortText(scan.result, 80)] : [];
  return [
    `${resultSigns[scan.status]} `,
    barcodeElement(cut(scan.value, 110)),
    '  ',
    scan.at === undefined ? scan.atText : momentElement(scan.at),
    ...(places.length > 0 ? [` · ${places.join(' · ')}`] : []),
    ...(isSaid ? [] : [` · ${word}`]),
    ...response,
  ];
}

function notes({ record, answer, isFirst }: Results): Block {
  const { searchedTo, span, scans } = answer;
  const deletable = countIn(record.answer.totals) > scans.length || scans.some(isDeletable);
  return richText(
    ...(searchedTo && isFirst ? [[momentAfter('Searched back to ', searchedTo.at), '.']] : []),
    ...scansAsOf({ ...answer, from: span.from, deletable }),
  );
}

function buttons({ record, answer, search, isFirst, after: here, inModal }: Results): Block[] {
  if (search === undefined) {
    return [];
  }
  const value = (after?: ScanSearchAnswer['next']) =>
    encode(resultsData, { search, ...(after ? { after } : {}) }, longest.button);
  const { copy, span } = answer;
  const isNothing = answer.scans.length === 0 && !answer.searchedTo;
  const isCopied = copy !== undefined && (span.from ?? copy.since) >= copy.since;
  const further = isFirst
    ? [
        ...(answer.searchedTo ? [button('Search further', 'scans.further', { value: value() })] : []),
        ...(isNothing && record.query.when !== undefined
          ? [button('Search any time', 'scans.any_time', { value: value() })]
          : []),
        ...(isCopied ? [] : [button('Check the account live', 'scans.live', { value: value() })]),
      ]
    : [];
  return [
    ...(further.length > 0 ? [actions(further, 'scans.further')] : []),
    actions(
      [
        ...(isFirst ? [] : [button('← Newest', 'scans.newest', { value: value() })]),
        ...(answer.next ? [button('Older →', 'scans.older', { value: value(answer.next) })] : []),
        ...(answer.scans.length > 0 && !inModal ? [button('Share here', 'scans.share', { value: value(here) })] : []),
        ...(answer.scans.length > 0 ? [button('Export', 'export.scans', { value: value() })] : []),
        button('Change search', 'scans.form', { value: value() }),
        ...(isFirst && record.saved === undefined ? [button('Save search', 'scans.save', { value: value() })] : []),
      ],
      'scans.buttons',
    ),
  ];
}
