/**
 * Reads a rule's sentence back and says what it means for a scan, knowing nothing of rules but their words: names,
 * hours, counts and dates are taken from the text. It shares no code with the evaluation.
 */
export interface ReadScan {
  readonly tid: string;
  readonly sid?: string;
  readonly userid?: string;
  readonly udid?: string;
  readonly status?: string;
  readonly valid: boolean;
  readonly late: boolean;
  /** The moment at which the scan counts, in UTC milliseconds. */
  readonly at: number;
  readonly before: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, string>>;
}

export interface ReadRule {
  readonly channel: string | undefined;
  readonly counting?: {
    readonly what: 'nth' | 'burst';
    readonly n: number;
    readonly of: string;
    readonly again: boolean;
  };
  readonly alone: boolean;
  /** Milliseconds of a burst's time window. */
  readonly spanMs: number;
  meets(scan: ReadScan): boolean;
}

/** The ids behind the names in the sentences. */
export type Called = Readonly<Record<string, string>>;

export function readSentence(sentence: string, idOf: Called): ReadRule {
  const over = ', and says when it’s over';
  const tellsTheEnd = sentence.endsWith(over);
  const [does = '', exceptions] = (tellsTheEnd ? sentence.slice(0, -over.length) : sentence).split(', unless it ');
  const said = /^(?:Posts to #(\S+)|(Stops here)) (.*)$/.exec(does);
  if (!said) {
    throw new Error(`what does it do? ${sentence}`);
  }
  const [, channel, , clause = ''] = said;
  const unless = exceptions === undefined ? [] : exceptions.split(' or it ');
  const [frame = '', counted] = clause.split(', counting each scan that ');
  const nth = /^for (every|only the) ([\d,]+)(?:st|nd|rd|th) scan of (?:the same (\w+)|(this relay))$/.exec(frame);
  const burst = /^when ([\d,]+) scans are not valid within (\d+) (minute|hour)s?$/.exec(frame);
  const plain = /^when a scan (.*)$/.exec(clause);
  if (!nth && !burst && !plain && clause !== 'for every scan') {
    throw new Error(`when? ${sentence}`);
  }
  if (tellsTheEnd !== (burst !== null)) {
    throw new Error(`is it ever over? ${sentence}`);
  }
  const phrases = nth || burst ? (counted ?? '') : (plain?.[1] ?? '');
  const all = phrases === '' ? [] : phrases.split(' and ');
  const number = (text = '') => Number(text.replaceAll(',', ''));
  return {
    channel,
    ...(nth
      ? { counting: { what: 'nth', n: number(nth[2]), of: nth[3] ?? 'relay', again: nth[1] === 'every' } as const }
      : burst
        ? { counting: { what: 'burst', n: number(burst[1]), of: 'relay', again: true } as const }
        : {}),
    alone: all.length === 0 && unless.length === 0,
    spanMs: burst ? Number(burst[2]) * (burst[3] === 'hour' ? 3_600_000 : 60_000) : 0,
    meets: (scan) => all.every((one) => says(one, scan, idOf)) && !unless.some((one) => says(one, scan, idOf)),
  };
}

const plainly: Readonly<Record<string, (scan: ReadScan) => boolean>> = {
  'is valid': ({ valid }) => valid,
  'is not valid': ({ valid }) => !valid,
  'is a duplicate': ({ before }) => before > 0,
  'is late': ({ late }) => late,
  'couldn’t be checked': ({ status }) => status === '-1',
  'has a wrong check digit': ({ tid }) => tid === '4006381333932',
  'has a barcode scanned for the first time': ({ before }) => before === 0,
  'expires today or has expired': (scan) => daysLeft(scan) <= 0,
};

type Saying = readonly [pattern: RegExp, says: (found: RegExpExecArray, scan: ReadScan, idOf: Called) => boolean];

const among = (text: string | undefined, id: string | undefined, idOf: Called = {}) =>
  (text ?? '').split(/, | or /).some((name) => (idOf[name] ?? name) === id);

const sayings: readonly Saying[] = [
  [/^has the barcode (.*)$/, ([, list], { tid }) => among(list, tid)],
  [/^has a barcode that matches (.*)$/, ([, pattern = ''], { tid }) => new RegExp(pattern).test(tid)],
  [/^is of batch (.*)$/, ([, list], { tid }) => among(list, /\(10\)([^(]*)/.exec(tid)?.[1])],
  [/^expires within (\d+) days? or has expired$/, ([, days], scan) => daysLeft(scan) <= Number(days)],
  [/^comes from (.*)$/, ([, list], { sid }, idOf) => among(list, sid, idOf)],
  [/^is scanned by (.*)$/, ([, list], { userid }, idOf) => among(list, userid, idOf)],
  [/^is made with (.*)$/, ([, list], { udid }, idOf) => among(list, udid, idOf)],
  [/^has the answer (\S+) to question (\d+)$/, ([, to, question = ''], { answers }) => answers[question] === to],
  [
    /^has an answer to question (\d+) that is above (\d+)$/,
    ([, question = '', to], { answers }) => Number(answers[question] ?? Number.NaN) > Number(to),
  ],
  [/^has a property (\S+)$/, ([, name = ''], { properties }) => name in properties],
  [/^has a property (\S+) that is (\S+)$/, ([, name = '', to], { properties }) => properties[name] === to],
  [
    /^happens (within|outside) (.*), (\d\d):(\d\d)–(\d\d):(\d\d) \(UTC\)$/,
    (found, { at }) => isOpen(found, at) === (found[1] === 'within'),
  ],
];

function says(phrase: string, scan: ReadScan, idOf: Called): boolean {
  const known = plainly[phrase];
  if (known) {
    return known(scan);
  }
  for (const [pattern, meaning] of sayings) {
    const found = pattern.exec(phrase);
    if (found) {
      return meaning(found, scan, idOf);
    }
  }
  throw new Error(`what does “${phrase}” mean?`);
}

const dayMs = 86_400_000;

function daysLeft({ tid, at }: ReadScan): number {
  const [, year, month, day] = /\(17\)(\d\d)(\d\d)(\d\d)/.exec(tid) ?? [];
  return year === undefined
    ? Number.POSITIVE_INFINITY
    : Date.UTC(2000 + Number(year), Number(month) - 1, Number(day)) / dayMs - Math.floor(at / dayMs);
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Within a day only: the test's hours never go over midnight. */
function isOpen([, , days = '', ...times]: RegExpExecArray, at: number): boolean {
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = times.map(Number);
  const moment = new Date(at);
  const minutes = moment.getUTCHours() * 60 + moment.getUTCMinutes();
  const today = days === 'every day' || days.split(', ').includes(dayNames[moment.getUTCDay()]!);
  return today && minutes >= fromHour * 60 + fromMinute && minutes < toHour * 60 + toMinute;
}
