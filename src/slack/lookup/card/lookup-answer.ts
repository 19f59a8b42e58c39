/** The body of a card below its headline: the deciding scan, each database's answer, and what is missing. Pure. */
import type { types } from '@slack/bolt';
import { firstOf, listOf, plural } from '../../../english.js';
import { type Headline, type Lookup, sameSpelling } from '../../../lookup/index.js';
import { resultWords, validity } from '../../../scans/result-words.js';
import { signs } from '../../block-kit/describe-result.js';
import { type Block, cut, type RichText } from '../../block-kit/elements.js';
import { mapLink, type ScanLimits, scanDetails, serviceUserDevice } from '../../block-kit/scan-rows.js';
import { shortName, shortText } from '../../block-kit/short-text.js';
import { barcodeElement, bold, joined, type LinePart, momentAfter, richSection } from '../../block-kit/text.js';
import { failureLine, sameFailure } from './failure-line.js';

/** How much is shown. `responses`: the characters of all together: each may have 3,000, and there may be ten. */
export interface AnswerLimits extends ScanLimits {
  readonly responses: number;
  /** The most similar values of a database. */
  readonly similar: number;
}

/** The most names in a sentence: nobody reads one with more. */
const mostNames = 10;

type Part = RichText['elements'][number];

type Line = readonly LinePart[];

/** Slack sets adjacent sections on one line, so lines share one section with breaks. */
function paragraphs(parts: readonly (Line | types.RichTextQuote)[]): Part[] {
  const elements: Part[] = [];
  let lines: LinePart[] = [];
  const flush = () => {
    elements.push(...(lines.length > 0 ? [richSection(lines)] : []));
    lines = [];
  };
  for (const part of parts) {
    if ('type' in part) {
      flush();
      elements.push(part);
    } else {
      lines.push(...(lines.length > 0 ? ['\n'] : []), ...part);
    }
  }
  flush();
  return elements;
}

function quote(text: string, longest: number): types.RichTextQuote {
  return { type: 'rich_text_quote', elements: [shortText(text, longest)] };
}

type Finding = Lookup['findings'][number];
type KnownFinding = Extract<Finding, { kind: 'known' }>;

export function answerBlocks(lookup: Lookup, headline: Headline, limits: AnswerLimits): Block[] {
  const { findings, lists } = lookup;
  const { failure } = headline;
  const gatesFailed = lists.services?.whole === false && headline.tone !== 'bad' ? lists.services.failure : undefined;
  const isOfGates = failure !== undefined && failure === gatesFailed;
  const listFailed = lists.databases?.failure;
  const knownFindings = findings.filter((finding) => finding.kind === 'known');
  const longest = Math.floor(limits.responses / Math.max(1, knownFindings.length));
  const failureLines = failedLines(findings, headline.title);
  const isUnchecked = headline.kind === 'not_checked';
  const elements = paragraphs([
    ...(isUnchecked ? failureLines : []),
    ...(isUnchecked && findings.length === 0 && listFailed ? [failureLine(listFailed)] : []),
    ...(headline.scan ? decidingLines(lookup, headline, headline.scan, limits) : []),
    ...headline.notes.map((note) => [note]),
    ...(failure && !isOfGates && !isUnchecked ? [failureLine(failure)] : []),
    ...knownFindings.flatMap((finding) => [
      knownLine(finding, lookup.value, headline),
      ...(finding.response === '' || isSaid(finding, headline) ? [] : [quote(finding.response, longest)]),
    ]),
    // The databases that lack the barcode are named only if no database has it.
    ...(knownFindings.length > 0 ? [] : absentLines(findings, headline.title, limits.similar)),
    ...(isUnchecked ? [] : failureLines),
    ...(gatesFailed && (isOfGates || !failure || !sameFailure(gatesFailed, failure))
      ? [[bold(`${signs.unsure} The account’s services could not be loaded: `), ...failureLine(gatesFailed, true)]]
      : []),
  ]);
  return elements.length > 0 ? [{ type: 'rich_text', elements }] : [];
}

type Deciding = NonNullable<Headline['scan']>;

/** The deciding scan, which no list repeats: when, where and by whom it was made, and below its response and answers. */
function decidingLines(lookup: Lookup, headline: Headline, { label, scan }: Deciding, limits: ScanLimits): Line[] {
  const details = scanDetails(scan, saidBy(lookup, headline), limits);
  const isOtherwise = scan.value !== '' && !sameSpelling(lookup.value, scan.value);
  return [
    [
      scan.at === undefined
        ? `${label} at “${shortName(scan.atText)}”`
        : momentAfter(`${label} `, scan.at, '{date_short_pretty} at {time}'),
      ...decidingPlaces(scan, headline.title).map((name) => ` · ${name}`),
      ...(scan.place ? [' · ', mapLink(scan.place)] : []),
      ...(isOtherwise ? [' · scanned as ', barcodeElement(cut(scan.value, 110))] : []),
    ],
    ...(details.length > 0 ? [details] : []),
  ];
}

/** The service, person and device of the deciding scan, without the service where the title names it. */
export function decidingPlaces(scan: Pick<Deciding['scan'], 'service' | 'user' | 'device'>, title: string): string[] {
  const at = ` at ${shortName(scan.service.name)}`;
  const isTitled = scan.service.name !== '' && (title.endsWith(at) || title.includes(`${at}, `));
  return serviceUserDevice(isTitled ? { ...scan, service: { id: '', name: '' } } : scan);
}

/** The responses that the card shows beside its scans: of the databases, and of the scan in the title. */
export function saidBy({ findings }: Pick<Lookup, 'findings'>, { title, scan }: Pick<Headline, 'title' | 'scan'>) {
  const titled = scan?.scan.result ?? '';
  return [
    ...findings.flatMap((finding) => (finding.kind === 'known' ? [finding.response] : [])),
    ...(title.endsWith(`: ${titled}`) ? [titled] : []),
  ];
}

/** Whether the headline already shows all of the response. */
function isSaid({ response }: KnownFinding, { kind, title }: Headline): boolean {
  return kind === 'not_valid' && title.endsWith(`: ${response}`);
}

/** A database that holds the barcode, and its result where the headline does not rest on it. */
function knownLine({ valid, database, value }: KnownFinding, searched: string, { kind }: Headline): LinePart[] {
  return [
    kind === 'not_checked' || kind === 'disagree' ? `${resultWords[validity(valid)]} in ` : 'In ',
    bold(shortName(database.name)),
    ...(value === searched ? [] : [', stored as ', barcodeElement(cut(value, 110))]),
  ];
}

function absentLines(findings: readonly Finding[], title: string, mostSimilar: number): LinePart[][] {
  const absent = findings.filter((finding) => finding.kind === 'unknown');
  const hasSimilar = ({ similar }: (typeof absent)[number]) => mostSimilar > 0 && similar.length > 0;
  const plainly = absent.filter((finding) => !hasSimilar(finding) && !title.includes(finding.database.name));
  return [
    ...(plainly.length > 0 ? [[`Not in ${namesOf(plainly.map((f) => f.database.name))}.`]] : []),
    ...absent.filter(hasSimilar).map((finding) => [
      `Similar values in ${shortName(finding.database.name)}: `,
      ...joined(
        finding.similar.slice(0, mostSimilar).map((value) => barcodeElement(cut(value, 110))),
        ', ',
      ),
      '.',
    ]),
  ];
}

type Failed = Extract<Finding, { kind: 'failed' }>;

/** One line for each reason: databases that failed alike are named together, unless the title names them already. */
function failedLines(findings: readonly Finding[], title: string): LinePart[][] {
  const groups: Failed[][] = [];
  for (const finding of findings.filter((each) => each.kind === 'failed')) {
    const group = groups.find(([first]) => first && sameFailure(first.failure, finding.failure));
    if (group) {
      group.push(finding);
    } else {
      groups.push([finding]);
    }
  }
  return groups.flatMap((group) => [
    title.endsWith(`: ${named(group)} could not be searched`)
      ? failureLine(group[0]!.failure)
      : [bold(`${signs.unsure} ${named(group)} could not be searched: `), ...failureLine(group[0]!.failure, true)],
    ...notCopied(group),
  ]);
}

/** The copy's answer for the databases that failed. */
function notCopied(group: readonly Failed[]): LinePart[][] {
  const times = group.flatMap(({ source, at }) => (source === 'copy' ? at : []));
  return times.length === group.length
    ? [['Their copy ', momentAfter('as of ', Math.min(...times)), ' doesn’t hold this barcode.']]
    : [];
}

function named(findings: readonly Finding[]): string {
  const names = findings.map(({ database }) => shortName(database.name));
  return names.length > 1 && names.length <= mostNames
    ? listOf(names)
    : namesOf(findings.map(({ database }) => database.name));
}

export function namesOf(names: readonly string[]): string {
  const shownNames = names.slice(0, mostNames).map((name) => shortName(name));
  const moreCount = names.length - shownNames.length;
  return firstOf(shownNames, moreCount, plural(moreCount, 'other'));
}
