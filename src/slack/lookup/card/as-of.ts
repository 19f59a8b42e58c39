/** How old what a card shows is, values and scans apart; and that the account did not confirm it. Pure. */
import type { Lookup } from '../../../lookup/index.js';
import type { RichTextElement } from '../../block-kit/elements.js';
import { momentAfter, mrkdwnMomentAfter, textElement } from '../../block-kit/text.js';

/** Younger parts say their age in seconds. */
const minuteMs = 60_000;

/** `Scans as of 12 s ago, values as of 14:02`; empty for a card of an older version. */
export function asOfLine({ asOf, askedAt }: Lookup): string[] {
  if (!asOf) {
    return [];
  }
  const { scans, values } = asOf;
  const parts = [
    ...(scans === undefined ? [] : [`scans ${ageText(scans, askedAt)}`]),
    ...(values === undefined ? [] : [`values ${ageText(values, askedAt)}`]),
  ].join(', ');
  return parts === '' ? [] : [parts.charAt(0).toUpperCase() + parts.slice(1)];
}

function ageText(at: number, askedAt: number): string {
  const age = askedAt - at;
  if (age < 1_000) {
    return 'as of now';
  }
  return age < minuteMs ? `as of ${Math.floor(age / 1_000)} s ago` : mrkdwnMomentAfter('as of ', at);
}

/** The account was to confirm it, but did not. */
export function uncheckedLine({ asOf }: Lookup): RichTextElement[][] {
  const times = [asOf?.values, asOf?.scans].flatMap((at) => at ?? []);
  return asOf?.unchecked && times.length > 0
    ? [[textElement('Not checked '), momentAfter('since ', Math.min(...times)), textElement('.')]]
    : [];
}
