/**
 * Parser of a posted scan's variables (docs/account-api.md#scan-to-url). Values are never changed; unknown variables
 * become properties.
 */
import { answerSeparator } from '../../scans/received/received-scan-rows.js';
import { RelayError } from '../record/errors.js';
import type { ReceivedScan } from '../record/relay.js';
import type { VariableName } from '../record/settings.js';
import type { Variables } from './form.js';

/** A scan as its variables describe it. */
export type ParsedScan = Pick<
  ReceivedScan,
  'tid' | 'sid' | 'userid' | 'udid' | 'scanid' | 'givenStatus' | 'givenText' | 'scannedAtUtc' | 'answers' | 'properties'
>;

const fields: ReadonlyMap<string, Exclude<keyof ParsedScan, 'answers' | 'properties'>> = new Map([
  ['tid', 'tid'],
  ['sid', 'sid'],
  ['userid', 'userid'],
  ['udid', 'udid'],
  ['scanid', 'scanid'],
  ['status', 'givenStatus'],
  ['text', 'givenText'],
  ['scanned_at_utc', 'scannedAtUtc'],
]);

/** Variables that are redundant, or use the sender's clock and zone: stored with the raw variables, shown nowhere. */
const unshown = new Set(['received_at_utc', 'timestamp', 'device_timestamp']);

/** The names of questions and answers: `answers[12]`, and `answers[12][]` for one of several. */
const question = /^(questions|answers)\[([^[\]]*)\](?:\[[^[\]]*\])?$/;

/** The names that a postback template gives Scandesk's variables. */
export type GivenNames = { readonly [Name in VariableName]?: string };

/**
 * @param knownQuestions questions of the relay: a device that posts directly sends no question's text with its answers
 * @throws RelayError `relay.no_barcode`
 */
export function readScan(
  variables: Variables,
  names: GivenNames = {},
  knownQuestions: readonly { readonly id: string; readonly text: string }[] = noQuestions,
): ParsedScan {
  // All fields are set at once: an object that grows field by field is slow to make and slow to read.
  const parsed: { -readonly [Field in keyof ParsedScan]: ParsedScan[Field] } = {
    tid: '',
    sid: undefined,
    userid: undefined,
    udid: undefined,
    scanid: undefined,
    givenStatus: undefined,
    givenText: undefined,
    scannedAtUtc: undefined,
    answers: noQuestions,
    properties: noQuestions,
  };
  // The maps are created on demand: most scans have neither questions nor lists.
  let questions: Map<string, string> | undefined;
  let answers: Map<string, string> | undefined;
  let properties: Map<string, string> | undefined;
  let lists: Map<string, number> | undefined;
  const addProperty = (name: string, value: string): void => {
    properties ??= new Map();
    if (name.endsWith('[]')) {
      lists ??= new Map();
      properties.set(listItemName(name, lists), value);
    } else {
      properties.set(name, value);
    }
  };
  const toMeaning = meaningOf(variables, names);

  for (const [givenName, value] of variables) {
    const name = toMeaning === undefined ? givenName : toMeaning(givenName);
    if (name === undefined) {
      addProperty(givenName, value);
      continue;
    }
    const field = fields.get(name);
    if (field !== undefined) {
      // An empty id, status or time counts as missing. An empty text may be meant.
      parsed[field] = value === '' && field !== 'givenText' ? (undefined as never) : value;
      continue;
    }
    if (unshown.has(name)) {
      continue;
    }
    const [, kind, id = ''] = name.includes('[') ? (question.exec(name) ?? []) : [];
    if (kind === 'questions') {
      questions ??= new Map();
      questions.set(id, value);
    } else if (kind === 'answers') {
      answers ??= new Map();
      const before = answers.get(id);
      const goesOn = before !== undefined && name.endsWith(']') && name !== `answers[${id}]`;
      answers.set(id, goesOn ? `${before}${answerSeparator}${value}` : value);
    } else {
      addProperty(name, value);
    }
  }

  if (!parsed.tid) {
    throw new RelayError('relay.no_barcode', 'tid is missing or empty');
  }
  if (answers) {
    parsed.answers = [...answers].map(([questionId, answer]) => {
      const text = questions?.get(questionId) || knownQuestions.find(({ id }) => id === questionId)?.text;
      return text ? { questionId, question: text, answer } : { questionId, answer };
    });
  }
  if (properties) {
    parsed.properties = [...properties].map(([name, value]) => ({ name, value }));
  }
  return parsed;
}

const noQuestions: readonly never[] = [];

/**
 * Maps a template's names to Scandesk's; undefined for a name of Scandesk's that the template replaces by another.
 * Undefined as a whole if none of the template's names was sent: a device that posts directly does not use them.
 */
function meaningOf(variables: Variables, names: GivenNames): ((name: string) => string | undefined) | undefined {
  const theirNames = Object.entries(names);
  if (theirNames.length === 0) {
    return undefined;
  }
  const sentNames = new Set(variables.map(([name]) => baseOf(name)));
  const renamed = theirNames.filter(([, theirs]) => sentNames.has(theirs));
  if (renamed.length === 0) {
    return undefined;
  }
  const ours = new Map(renamed.map(([own, theirs]) => [theirs, own]));
  const takenNames = new Set(renamed.map(([own]) => own));
  return (name) => {
    const base = baseOf(name);
    const own = ours.get(base);
    return own === undefined ? (takenNames.has(base) ? undefined : name) : own + name.slice(base.length);
  };
}

/** The name without brackets: `answers` of `answers[12]`. */
function baseOf(name: string): string {
  const at = name.indexOf('[');
  return at === -1 ? name : name.slice(0, at);
}

/** The name of a list's item: `photo[]` is the next one, as in PHP: `photo[0]`, `photo[1]`. */
function listItemName(name: string, lists: Map<string, number>): string {
  const n = lists.get(name) ?? 0;
  lists.set(name, n + 1);
  return `${name.slice(0, -1)}${n}]`;
}
