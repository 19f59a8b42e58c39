/** Page with a device's own latest scans at a relay, as the account has no record of direct scans. Pure. */
import { unnamed } from '../codereadr/names.js';
import type { NameOf } from '../codereadr/types.js';
import type { ReceivedScan } from '../relay/record/relay.js';
import { answerSeparator } from '../scans/received/received-scan-rows.js';
import { resultWords } from '../scans/result-words.js';
import { deviceZone } from '../schedules/zones.js';
import { type Html, html, visibleBarcode } from './html.js';
import type { Page } from './page.js';
import { ago, clockTime, zoneLine } from './when.js';

/** The most scans on the page: as many as a thumb scrolls through. */
export const mostShown = 30;

export type PageScan = Pick<
  ReceivedScan,
  | 'tid'
  | 'sid'
  | 'userid'
  | 'udid'
  | 'receivedAt'
  | 'valid'
  | 'text'
  | 'late'
  | 'finding'
  | 'givenStatus'
  | 'answers'
  | 'properties'
> & {
  /** The time of the scan by the device's clock, else of its arrival. */
  readonly at: number;
};

export function historyPage(input: {
  readonly udid: string;
  /** The device's scans, newest first. */
  readonly scans: readonly PageScan[];
  /** How many of the owner's latest scans were searched; undefined: all of them. */
  readonly searched: number | undefined;
  /** Whether the relay validates scans itself: its result then stands, even where the account could not validate. */
  readonly validates: boolean;
  readonly nameOf: NameOf;
  readonly now: number;
  /** The zone of scans that name none; UTC, if unset. */
  readonly zone?: string | undefined;
}): Page {
  const { udid, scans, searched, validates, nameOf, now, zone } = input;
  const reachText = searched === undefined ? '' : ` among the last ${searched.toLocaleString('en-US')} scans`;
  const shownScans = scans.slice(0, mostShown);
  return {
    title: 'Your last scans',
    body: html`<h1>Your last scans</h1>
<p class="soft">${nameOf('device', udid) ?? unnamed('device', udid)}</p>
${
  shownScans.length === 0
    ? html`<p class="card plain">No scans from this device${reachText === '' ? ' yet' : reachText}. New scans appear here in a moment.</p>`
    : html`<ul>${shownScans.map((scan) => scanItem(scan, resultOf(scan, validates), { nameOf, now, zone }))}</ul>`
}
<p class="soft">${
      scans.length > shownScans.length
        ? `Showing the last ${mostShown}. `
        : reachText === '' || scans.length === 0
          ? ''
          : `Showing those${reachText}. `
    }Reload the page to see newer scans.</p>${shownScans.every(hasZone) ? '' : zoneLine(zone)}`,
  };
}

const hasZone = ({ properties }: PageScan) => deviceZone(properties) !== undefined;

type Shown = Pick<Parameters<typeof historyPage>[0], 'nameOf' | 'now' | 'zone'>;

function scanItem(scan: PageScan, { tone, sign }: Result, { nameOf, now, ...page }: Shown): Html {
  const zone = deviceZone(scan.properties) ?? page.zone;
  const userAndDevice = [
    scan.sid === undefined ? undefined : (nameOf('service', scan.sid) ?? unnamed('service', scan.sid)),
    scan.userid === undefined ? undefined : (nameOf('user', scan.userid) ?? unnamed('user', scan.userid)),
  ].filter((name) => name !== undefined);
  return html`<li class="${tone}">
<div class="row"><code>${visibleBarcode(scan.tid)}</code><span class="when">${ago(scan.at, now)}</span></div>
<div><span class="sign">${sign}</span>${scan.text === '' ? '' : ` · ${scan.text}`}</div>
${scan.answers.map(
  ({ questionId, question, answer }) =>
    html`<div>${question ?? `Question ${questionId}`}: ${answer.split(answerSeparator).join(', ')}</div>`,
)}
<div class="soft">${[clockTime(scan.at, now, zone), ...userAndDevice].join(' · ')}${
    scan.late ? html`<br>Received later: ${clockTime(scan.receivedAt, now, zone)}` : ''
  }</div>
</li>`;
}

interface Result {
  readonly tone: string;
  readonly sign: string;
}

function resultOf(scan: PageScan, validates: boolean): Result {
  if (!scan.valid) {
    return { tone: 'bad', sign: `✗ ${resultWords[scan.finding === 'duplicate' ? 'used' : 'invalid']}` };
  }
  const unsure = scan.finding === 'unknown_accepted' || (!validates && scan.givenStatus === '-1');
  return unsure
    ? { tone: 'wary', sign: `? ${resultWords.unknown_accepted}` }
    : { tone: 'good', sign: `✓ ${resultWords.valid}` };
}

/** The page on which the person chooses a device, if the account does not say which one opened it. */
export function whichDevicePage(input: {
  /** The devices with recent scans at the relay, newest first. */
  readonly devices: readonly { readonly udid: string; readonly lastAt: number }[];
  readonly nameOf: NameOf;
  readonly now: number;
}): Page {
  const { devices, nameOf, now } = input;
  const links = devices.map(
    ({ udid, lastAt }) =>
      html`<li class="plain"><a class="choice" href="?udid=${encodeURIComponent(udid)}"><span class="row"><strong>${nameOf('device', udid) ?? unnamed('device', udid)}</strong><span class="when">${ago(lastAt, now)}</span></span></a></li>`,
  );
  return {
    title: 'Your last scans',
    body: html`<h1>Your last scans</h1>
${
  links.length === 0
    ? html`<p class="card plain">No scans yet.</p>`
    : html`<p>Which device is yours? These scanned recently:</p><ul>${links}</ul>`
}
<form method="get"><label for="udid">Or enter your device ID</label>
<input type="text" id="udid" name="udid" autocomplete="off" autocapitalize="off" spellcheck="false">
<button type="submit">Show</button></form>`,
  };
}
