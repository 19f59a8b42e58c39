/** The scans that a relay refused, as text: how many, why, from where, since when, and what to do. Pure. */
import { countOf } from '../../../english.js';
import { othersSender, type RefusedReason } from '../../../relay/index.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, type LinePart, momentAfter } from '../../block-kit/text.js';

interface Explanation {
  readonly why: string;
  readonly remedy: string;
}

const asForm = 'Send scans as a form in UTF-8 (application/x-www-form-urlencoded)';

const explanations: Readonly<Record<string, Explanation>> = {
  'relay.secret': {
    why: 'the webhook URL was revoked, or is incomplete',
    remedy: 'Enter the relay’s newest URL in the service, or create one with New webhook URL',
  },
  'relay.proof': {
    why: 'the shared secret is missing or wrong',
    remedy: 'Compare the service’s scan properties with Security',
  },
  'relay.network': { why: 'the sender isn’t on the allow list', remedy: 'If it is yours, add it in Security' },
  'relay.rate': { why: 'more than 500 scans a second', remedy: 'Spread the services over several relays' },
  'relay.no_barcode': {
    why: 'no barcode was in them',
    remedy: 'If the account uses a postback template, enter its field names in Security',
  },
  'relay.not_a_form': { why: 'they were no form', remedy: asForm },
  'relay.encoding': { why: 'they were not UTF-8', remedy: asForm },
  'relay.nul': { why: 'they contained a NUL character', remedy: 'Check what the sender adds to barcodes' },
  'relay.body_too_large': { why: 'they were larger than 64 KB', remedy: 'Send fewer answers or scan properties' },
  'relay.body_slow': { why: 'they came too slowly', remedy: 'Check the sender’s connection' },
};

const scansIn = (refused: readonly RefusedReason[]): number => refused.reduce((sum, { scans }) => sum + scans, 0);

/** `12 scans refused`; empty where none was. */
export function refusedCount(refused: readonly RefusedReason[]): string {
  return refused.length === 0 ? '' : `${countOf(scansIn(refused), 'scan')} refused`;
}

/** A line for each reason; then what becomes of the scans. Empty where none was refused. */
export function refusedLines(refused: readonly RefusedReason[]): LinePart[][] {
  return refused.length === 0
    ? []
    : [
        ...refused.map(reasonLine),
        ['Refused scans are not stored. Devices that post here directly keep theirs and send them again.'],
      ];
}

function reasonLine({ code, scans, senders, firstAt, lastAt }: RefusedReason): LinePart[] {
  const { why, remedy } = explanations[code] ?? { why: shortName(code), remedy: 'Check what the sender posts' };
  return [
    bold(`⚠️ ${countOf(scans, 'scan')} refused: `),
    `${why}${sendersOf(senders)}`,
    ...(scans === 1 ? [momentAfter(', ', lastAt)] : [momentAfter(', since ', firstAt), momentAfter(', last ', lastAt)]),
    `. ${remedy}.`,
  ];
}

/** The most addresses in a line. */
const mostSenders = 2;

function sendersOf(senders: readonly string[]): string {
  const known = senders.filter((sender) => sender !== othersSender);
  const more = senders.length - Math.min(known.length, mostSenders);
  const named = known.slice(0, mostSenders).join(', ');
  return known.length === 0 ? '' : ` (from ${named}${more > 0 ? ' and others' : ''})`;
}
