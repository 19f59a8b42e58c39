/** Answer to the device for a result code: the relay's own text, its placeholders filled, or the default text. Pure. */
import { DateTime } from 'luxon';
import type { Counts } from '../../counters/counters.js';
import { deviceZone } from '../../schedules/zones.js';
import type { IncomingScan } from '../commit/index.js';
import { writeReply } from '../postback/xml-response.js';
import type { UncheckedReason } from '../record/relay.js';
import type { RelaySettings, ResultCode } from '../record/settings.js';
import { defaultText } from './default-texts.js';
import type { Prefetched, ValidationResult } from './result.js';
import {
  fillPage,
  fillPlain,
  fillUrl,
  type Placeholder,
  placeholdersIn,
  type Replacements,
  textOfPage,
} from './template.js';

export interface AnswerInput {
  readonly scan: IncomingScan<Prefetched>;
  readonly finding: ResultCode;
  readonly response: string;
  readonly at: number;
  readonly counts: Counts;
  readonly database: string | undefined;
  readonly why: UncheckedReason | undefined;
  /** Whether the scan was already validated elsewhere: the device is then asked none of the relay's questions. */
  readonly validated: boolean;
}

/** The placeholders in the relay's texts. */
export function placeholdersOf({ answers }: Pick<RelaySettings, 'answers'>): ReadonlySet<Placeholder> {
  return placeholdersIn(Object.values(answers).map((answer) => answer.text));
}

export function createAnswers(settings: RelaySettings) {
  const placeholders = placeholdersOf(settings);
  return (answerInput: AnswerInput): Pick<ValidationResult, 'text' | 'reply'> => {
    const { finding, response, why } = answerInput;
    const answer = settings.answers[finding];
    const filling = answer?.text ? replacementsOf(answerInput, placeholders, settings) : undefined;
    const page = filling && answer?.kind === 'page' ? fillPage(answer.text, filling) : undefined;
    const url = filling && answer?.kind === 'url' ? fillUrl(answer.text, filling) : undefined;
    const text =
      page !== undefined
        ? textOfPage(page)
        : filling && answer?.kind === 'plain'
          ? fillPlain(answer.text, filling)
          : defaultText(finding, response, why);
    const questions =
      answerInput.validated || settings.questions.length === 0 ? [] : questionsFor(finding, answerInput.scan, settings);
    if (!answer && questions.length === 0) {
      return { text };
    }
    const ask = questions.length === 0 ? undefined : questions;
    return { text, reply: writeReply({ page, url, title: answer?.title, color: answer?.color, ask }) };
  };
}

/** The ids of the questions to ask. Questions that the submit already answers are not asked again. */
function questionsFor(finding: ResultCode, scan: IncomingScan, { questions }: RelaySettings): string[] {
  return questions
    .filter(({ when }) => when.length === 0 || when.includes(finding))
    .map(({ id }) => id)
    .filter((id) => !scan.answers.some(({ questionId }) => questionId === id));
}

function replacementsOf(
  answerInput: AnswerInput,
  places: ReadonlySet<Placeholder>,
  settings: RelaySettings,
): Replacements {
  const { scan, finding, response, counts, at } = answerInput;
  const { names = {} } = scan;
  const value = places.has('count') || places.has('time') ? counts.ofSubject('value') : undefined;
  const admittedBefore = finding === 'duplicate' || finding === 'limit' ? value?.lastAcceptedAt : undefined;
  return {
    value: scan.tid,
    response,
    user: names.user ?? scan.userid ?? '',
    device: names.device ?? scan.udid ?? '',
    service: names.service ?? scan.sid ?? '',
    count: String((value?.seen ?? 0) + 1),
    time: places.has('time') ? timeText(admittedBefore ?? at, at, zoneOf(scan, settings)) : '',
    database: answerInput.database ?? '',
  };
}

/** The zone for times: the relay's, else the device's, else UTC. */
function zoneOf({ properties }: IncomingScan, { hours }: RelaySettings): string {
  return hours?.zone ?? deviceZone(properties) ?? 'utc';
}

/** The moment as text, with the date if it is on another day than the scan. */
function timeText(moment: number, at: number, zone: string): string {
  const time = DateTime.fromMillis(moment, { zone });
  const sameDay = time.hasSame(DateTime.fromMillis(at, { zone }), 'day');
  return `${time.toFormat(sameDay ? 'HH:mm' : 'yyyy-MM-dd HH:mm')}${zone === 'utc' ? ' UTC' : ''}`;
}
