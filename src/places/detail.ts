/** The facts that a move keeps of its scan: who has the thing or who the person is, and when the thing is due. Pure. */
import { DateTime } from 'luxon';
import type { ValidatedScan } from '../relay/conditions/condition.js';
import { defaultText } from '../relay/validation/default-texts.js';
import { answerSeparator } from '../scans/received/received-scan-rows.js';
import type { Scan } from '../scans/scan.js';
import type { PlaceSettings } from './list.js';

export interface MoveDetail {
  /** Who has the lent thing, or who is inside; null: the scan does not say, the thing is back, or the person left. */
  readonly holder: string | null;
  /** The response to the scan that took the thing out, which names the thing; null: it says no name. */
  readonly response: string | null;
  readonly dueAt: number | null;
  /** The answer that should be a date and is none. */
  readonly dueText: string | null;
}

const noDetail: MoveDetail = { holder: null, response: null, dueAt: null, dueText: null };

type ReadDetail = (
  scan: Scan,
  facts: ValidatedScan,
  move: { readonly at: number; readonly entering: boolean },
) => MoveDetail;

export function createDetailReader({ name, custody, zone }: PlaceSettings): ReadDetail {
  const answerTo = ({ answers }: ValidatedScan, question: string) =>
    answers.find(({ questionId }) => questionId === question)?.answer.replaceAll(answerSeparator, ', ');
  const nameIn = (scan: Scan, facts: ValidatedScan): string | undefined => {
    switch (name?.by) {
      case 'answer':
        return answerTo(facts, name.question);
      case 'property':
        return facts.properties.find((one) => one.name === name.name)?.value;
      case 'response':
        return responseTo(scan);
      case undefined:
        return undefined;
    }
  };
  const dueTime = custody?.due;
  const dueOf = (facts: ValidatedScan, at: number) => {
    if (dueTime?.by !== 'answer') {
      const minutes = dueTime && (dueTime.services[facts.sid ?? ''] ?? dueTime.minutes);
      return { dueAt: minutes === undefined ? null : at + minutes * 60_000, dueText: null };
    }
    const text = answerTo(facts, dueTime.question)?.trim() || null;
    const dueAt = text === null ? null : (dateIn(text, zone) ?? null);
    return { dueAt, dueText: dueAt === null ? text : null };
  };
  return (scan, facts, { at, entering }) =>
    // A thing that comes back has no holder; a person who goes out needs no name.
    entering === (custody !== undefined)
      ? noDetail
      : {
          ...noDetail,
          holder: nameIn(scan, facts)?.trim() || null,
          ...(custody
            ? { ...dueOf(facts, at), response: name?.by === 'response' ? null : (responseTo(scan) ?? null) }
            : {}),
        };
}

/** The response of a database to the scan. A relay that checks no database answers with a text of its own. */
function responseTo({ recorded, received: [first] }: Scan): string | undefined {
  const text = (recorded?.result || first?.text)?.trim();
  return text === defaultText('valid', '', undefined) ? undefined : text || undefined;
}

const dayFormats = ['yyyy-MM-dd', 'dd.MM.yyyy'];
const timeFormats = ['HH:mm', 'HH:mm:ss'];
const formats = dayFormats.flatMap((day) => timeFormats.flatMap((time) => [`${day} ${time}`, `${day}'T'${time}`]));

/**
 * The moment that a text names in a zone; for a day, the day's last moment. Undefined for a text in any other format,
 * as `3/4/2026`, whose day could be either number, and for a time that no clock of the zone shows.
 */
export function dateIn(text: string, zone: string): number | undefined {
  const read = (format: string) => {
    const found = DateTime.fromFormat(text, format, { zone, locale: 'en-US' });
    return found.isValid && found.toFormat(format) === text ? found : undefined;
  };
  const [day] = dayFormats.flatMap((format) => read(format)?.endOf('day') ?? []);
  const [moment] = formats.flatMap((format) => read(format) ?? []);
  return (day ?? moment)?.toMillis();
}
