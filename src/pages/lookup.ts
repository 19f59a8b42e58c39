/** Barcode look-up page for devices. Its headline comes from `lookup/headline.ts`, as the card's does. Pure. */
import { typedForm, withHidden } from '../codereadr/xml/hidden-characters.js';
import { resultWords, validity } from '../scans/result-words.js';
import type { SeenScan } from '../scans/seen-scan.js';
import { type Html, html, visibleBarcode } from './html.js';
import type { Page } from './page.js';
import { ago, clockTime, zoneLine } from './when.js';

export interface KnownBarcode {
  readonly value: string;
  /** The headline: what to do, in words. */
  readonly headline: {
    readonly tone: 'good' | 'bad' | 'unsure' | 'unknown';
    readonly title: string;
    /** The title in two parts, with its time between them. */
    readonly dated?: { readonly before: string; readonly at: number; readonly after: string };
    /** The scan on which the headline rests. */
    readonly scan?: { readonly label: string; readonly scan: KnownScan };
    readonly notes: readonly string[];
  };
  readonly findings: readonly (
    | {
        readonly kind: 'known';
        readonly database: { readonly name: string };
        readonly valid: boolean;
        readonly response: string;
      }
    | { readonly kind: 'unknown'; readonly database: { readonly name: string }; readonly similar: readonly string[] }
    | { readonly kind: 'failed'; readonly database: { readonly name: string } }
  )[];
  readonly history: {
    readonly kind: 'read' | 'failed';
    /** The scans, newest first. */
    readonly scans: readonly KnownScan[];
  };
}

type KnownScan = Pick<SeenScan, 'status' | 'result' | 'at' | 'atText'> &
  Readonly<Record<'service' | 'device' | 'user', { readonly name: string }>>;

/** Why the lookup has no answer. */
export type LookupProblem = 'not_connected' | 'calls' | 'account' | 'too_long' | 'unreadable' | 'busy';

export interface LookupInput {
  /** The barcode to look up; undefined: none was typed yet. */
  readonly barcode?: string | undefined;
  /** The device's id, passed from page to page if the account sent it. */
  readonly udid?: string | undefined;
  readonly known?: KnownBarcode;
  readonly problem?: LookupProblem;
  readonly now: number;
  /** The zone of the page's times; UTC, if unset. */
  readonly zone?: string | undefined;
}

type Shown = Pick<LookupInput, 'now' | 'zone'>;

const mostScans = 5;

const problemTexts: Readonly<Record<LookupProblem, string>> = {
  not_connected: 'No scanning account is connected to Scandesk. Ask whoever set this up.',
  calls: 'The account’s API calls are used up for this minute. Try again in a minute.',
  account: 'The scanning account isn’t responding, so this barcode couldn’t be looked up. Try again in a moment.',
  too_long: 'That’s too long to be a barcode.',
  unreadable: 'That couldn’t be read as text. Type or scan it again.',
  busy: 'Too many requests. Try again in a few seconds.',
};

export function lookupPage(input: LookupInput): Page {
  const { barcode, problem, known, zone } = input;
  return {
    title: 'Look up a barcode',
    body: html`<h1>Look up a barcode</h1>
${searchForm(input)}
${barcode === undefined || barcode === '' ? '' : html`<p><code>${visibleBarcode(barcode)}</code>${spacedBarcode(barcode)}</p>`}
${problem ? html`<p class="card verdict wary">${problemTexts[problem]}</p>` : ''}
${known ? html`${answer(known, input)}${zoneLine(zone)}` : ''}`,
  };
}

function searchForm({ barcode, udid }: LookupInput): Html {
  return html`<form method="get">
<label for="value">Barcode (exact text)</label>
<input type="text" id="value" name="value" value="${typedBarcode(barcode ?? '')}" maxlength="4500" required autofocus autocomplete="off" autocapitalize="off" spellcheck="false">
${udid === undefined ? '' : html`<input type="hidden" name="udid" value="${udid}">`}
<button type="submit">Look up</button>
</form>`;
}

/** Parses a typed barcode. Control characters have no keys: they are typed and shown as `\x1d`. */
export function readTyped(text: string): string {
  return withHidden(text);
}

function typedBarcode(value: string): string {
  return typedForm(value);
}

function spacedBarcode(value: string): string {
  return value.trim() === value ? '' : ' It starts or ends with a space, which is part of the barcode.';
}

const tones = { good: ['good', '✓'], bad: ['bad', '✗'], unsure: ['wary', '!'], unknown: ['wary', '?'] } as const;

function answer({ headline, findings, history }: KnownBarcode, shown: Shown): Html {
  const [tone, sign] = tones[headline.tone];
  const { scan } = headline;
  // A database without the barcode is shown only where none has it.
  const isKnown = findings.some(({ kind }) => kind === 'known');
  const shownFindings = findings.filter(({ kind }) => kind !== 'unknown' || !isKnown);
  return html`<div class="card verdict ${tone}" role="status">${sign} ${titleOf(headline, shown)}${
    scan ? html`<p class="soft">${scan.label} ${whenAndWhere(scan.scan, shown)}</p>` : ''
  }${headline.notes.map((note) => html`<p class="soft">${note}</p>`)}</div>
${shownFindings.length === 0 ? '' : html`<ul>${shownFindings.map(findingItem)}</ul>`}
<h2>Last scans</h2>
${scanList(history, shown)}`;
}

function titleOf({ title, dated }: KnownBarcode['headline'], { now, zone }: Shown): string {
  return dated ? `${dated.before}as of ${clockTime(dated.at, now, zone)}${dated.after}` : title;
}

function findingItem(finding: KnownBarcode['findings'][number]): Html {
  const databaseName = finding.database.name;
  switch (finding.kind) {
    case 'known':
      return html`<li class="${finding.valid ? 'good' : 'bad'}"><strong>${databaseName}</strong><br><span class="sign">${resultWords[validity(finding.valid)]}</span>${finding.response === '' ? '' : ` · ${finding.response}`}</li>`;
    case 'unknown':
      return html`<li class="plain"><strong>${databaseName}</strong><br>Not found.${
        finding.similar.length === 0
          ? ''
          : html` Similar barcodes: ${finding.similar.slice(0, 5).map((value) => html`<br><code>${visibleBarcode(value)}</code>`)}`
      }</li>`;
    case 'failed':
      return html`<li class="wary"><strong>${databaseName}</strong><br>Couldn’t be searched.</li>`;
  }
}

function scanList({ kind, scans }: KnownBarcode['history'], shown: Shown): Html {
  const missing = kind === 'failed' ? html`<p class="card wary">The account’s scans couldn’t be loaded.</p>` : '';
  if (scans.length === 0) {
    return kind === 'failed' ? html`${missing}` : html`<p class="card plain">No scans found.</p>`;
  }
  return html`${missing}<ul>${scans.slice(0, mostScans).map((scan) => scanItem(scan, shown))}</ul>`;
}

const statuses = {
  valid: ['good', '✓ '],
  invalid: ['bad', '✗ '],
  not_validated: ['wary', '? '],
  other: ['plain', ''],
} as const;

function scanItem(scan: KnownScan, shown: Shown): Html {
  const [tone, sign] = statuses[scan.status];
  return html`<li class="${tone}">
<div class="row"><span><span class="sign">${sign}${resultWords[scan.status]}</span>${scan.result === '' ? '' : ` · ${scan.result}`}</span>${
    scan.at === undefined ? '' : html`<span class="when">${ago(scan.at, shown.now)}</span>`
  }</div>
<div class="soft">${whenAndWhere(scan, shown)}</div>
</li>`;
}

function whenAndWhere(scan: KnownScan, { now, zone }: Shown): string {
  const where = [scan.service.name, scan.user.name, scan.device.name].filter((name) => name !== '');
  return [scan.at === undefined ? scan.atText : clockTime(scan.at, now, zone), ...where].join(' · ');
}
