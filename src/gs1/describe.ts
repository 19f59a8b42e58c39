/** The parts of a GS1 barcode in words: measures and most dates are spelled out, other parts stay as they are. Pure. */
import { type Identifier, identifiers } from './application-identifiers.js';
import { endOf, readDate } from './date.js';
import { inStoreNumber } from './in-store.js';
import { checkedPartCount, type Gs1Part, parseGs1 } from './parse.js';

export interface Gs1Field {
  readonly label: string;
  readonly text: string;
  /** Whether the text is in the barcode to the letter; otherwise it is put into words. */
  readonly isExact: boolean;
  /**
   * The barcode has no separators, so this field may end earlier: this field and the later ones in that reading; empty
   * where too little evidence supports it.
   */
  readonly or?: readonly Gs1Field[];
}

/** No time zone is further from UTC: a date that ended in UTC less than this ago may not be over everywhere. */
const maxOffsetMs = 14 * 3_600_000;

/** The formats of a date that a time may follow. */
const moment = /^n6:da\w+(?: \[?n\d:(?:time|sixty)\]?)*$/;

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', timeZone: 'UTC' });

/** The parts as fields; empty if the value is neither a GS1 barcode nor an in-store number. @param now in milliseconds */
export function gs1Fields(value: string, now: number): readonly Gs1Field[] {
  return parseGs1(value)?.map((part) => withOtherReading(part, now)) ?? inStoreFields(value);
}

function inStoreFields(value: string): readonly Gs1Field[] {
  const number = inStoreNumber(value);
  return number
    ? [
        { label: 'In-store article', text: number.article, isExact: true },
        {
          label: 'Weight or price',
          text: `${measure(number.measure, 3)} kg or ${measure(number.measure, 2)}, if a scale printed it`,
          isExact: false,
        },
      ]
    : [];
}

function withOtherReading(part: Gs1Part, now: number): Gs1Field {
  const field = fieldOf(part, identifiers.get(part.ai)!, now);
  if (!part.or) {
    return field;
  }
  const hasEvidence = checkedPartCount(part.or.slice(1)) > 0;
  return { ...field, or: hasEvidence ? part.or.map((each) => fieldOf(each, identifiers.get(each.ai)!, now)) : [] };
}

function fieldOf({ ai, value }: Gs1Part, { label, format, decimals }: Identifier, now: number): Gs1Field {
  if (moment.test(format)) {
    return dateField(label, value, now);
  }
  if (decimals) {
    const digitsFrom = format.startsWith('n3 ') ? 3 : 0;
    const text = [value.slice(0, digitsFrom), measure(value.slice(digitsFrom), Number(ai.at(-1))), decimals.unit];
    return { label, text: text.filter(Boolean).join(' '), isExact: false };
  }
  return { label, text: value, isExact: true };
}

function dateField(label: string, value: string, now: number): Gs1Field {
  const date = readDate(value.slice(0, 6), true)!;
  const end = endOf(date, now);
  const words = (date.day === 0 ? months : days).format(end - 1);
  const time = value.length > 6 ? `, ${value.slice(6, 8)}:${value.slice(8) || '00'}` : '';
  return {
    label: label === 'Expires' && end + maxOffsetMs < now ? 'Expired' : label,
    text: `${words}${time}`,
    isExact: false,
  };
}

/** A measure with decimals: `001250` with three decimals is `1.250`. */
function measure(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals).replace(/^0+(?=\d)/, '');
  return decimals === 0 ? whole : `${whole}.${padded.slice(-decimals)}`;
}
