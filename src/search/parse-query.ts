/**
 * The parser of a search typed as text: `today not valid Gate A user:ann 0123*`, `scans by mara yesterday`. Pure. A
 * known name may stand without a key. A text that is no word of the search is the barcode: `0123` is part of it, `0123*`
 * its beginning, and text in quotes all of it. A common word is never part of a barcode.
 */
import { withHidden } from '../codereadr/xml/hidden-characters.js';
import { type KnownName, knownNameAt } from './known-names.js';
import { type NamedPart, type ScanQuery, scanResults } from './query.js';
import { type Key, openQuotes, phrase, plainWords, spanning, type Token, tokensIn } from './query-tokens.js';
import { fillers, isCommon, namesBehind, type QueryResult, resultAt, resultWords } from './query-words.js';
import { mostWords, parseWhen } from './when.js';

/** The part of the text that was not understood, as it was typed, and where it begins. */
export interface QueryProblem {
  readonly kind:
    | 'twice'
    | 'two_barcodes'
    | 'second_barcode'
    | 'common_word'
    | 'unknown_result'
    | 'unknown_key'
    | 'empty'
    | 'when'
    | 'future'
    | 'no_end_quote'
    | 'property';
  readonly typed: string;
  readonly at: number;
}

/**
 * A parsed text. `query`: what was understood. `saved`: the name of a saved search, which `query` changes. `guessed`:
 * whether a name was taken from the words around it, and is not known.
 */
export interface ParsedQuery {
  readonly query: ScanQuery;
  readonly saved?: string;
  readonly guessed?: true;
  readonly problem?: QueryProblem;
}

type Part = { readonly query: ScanQuery } | { readonly problem: QueryProblem };

/** Parses a search. @param knownNames the names of services, users and devices that need no key */
export function parseQuery(
  text: string,
  now: number,
  zone: string,
  knownNames: readonly KnownName[] = [],
): ParsedQuery {
  const allTokens = tokensIn(text);
  const unended = allTokens.find(({ text: part, isQuoted }) => !isQuoted && openQuotes.includes(part.at(0) ?? ' '));
  if (unended) {
    return { query: {}, ...problem('no_end_quote', unended) };
  }
  const [savedToken, secondSaved] = allTokens.filter(({ key }) => key === 'saved');
  if (secondSaved || savedToken?.text === '') {
    return { query: {}, ...(secondSaved ? problem('twice', secondSaved) : problem('empty', savedToken as Token)) };
  }
  const tokens = allTokens.filter((each) => each !== savedToken);
  const problems: QueryProblem[] = [];
  let query: ScanQuery = {};
  let barcodeAt = -1;
  let guessed = false;
  for (let index = 0; index < tokens.length; ) {
    const step = nextStep(tokens.slice(index), query, { now, zone, knownNames });
    if ('problem' in step) {
      const isSecond = step.problem.kind === 'twice' && step.words === 0 && tokens[index]!.key === undefined;
      const isBeside = isSecond && barcodeAt === index - 1;
      problems.push(
        isBeside
          ? problem('two_barcodes', spanning(text, tokens[barcodeAt]!, tokens[index]!)).problem
          : isSecond && query.barcode
            ? problem('second_barcode', tokens[index]!).problem
            : step.problem,
      );
    } else {
      barcodeAt = step.query.barcode && !query.barcode ? index : barcodeAt;
      query = step.query;
      guessed ||= step.guessed === true;
    }
    index += Math.max(1, step.words);
  }
  const first = problems.find(({ kind }) => kind === 'future') ?? problems[0];
  const { barcode, ...others } = query;
  return {
    query: first?.kind === 'two_barcodes' ? others : query,
    ...(savedToken ? { saved: savedToken.text } : {}),
    ...(guessed ? { guessed } : {}),
    ...(first ? { problem: first } : {}),
  };
}

interface Known {
  readonly now: number;
  readonly zone: string;
  readonly knownNames: readonly KnownName[];
}

type Step = Part & { readonly words: number; readonly guessed?: true };

/** Reads the part of the search at the first of the tokens. `words`: how many tokens it takes; 0: it is that token. */
function nextStep(tokens: readonly Token[], query: ScanQuery, known: Known): Step {
  const [token] = tokens as readonly [Token];
  const words = plainWords(tokens);
  const [word = ''] = words.map((each) => each.toLowerCase());
  const { now, zone, knownNames } = known;
  const named = nameAfter(words, known);
  const timeLength = named?.isWhole ? 0 : whenLength(words, now, zone);
  if (timeLength > 0) {
    return { ...withWhen(query, tokens.slice(0, timeLength)), words: timeLength };
  }
  const result = resultAt(words);
  const name = knownNameAt(words, knownNames, (result?.words ?? 0) + 1);
  // The beginning of a name may be a common word by chance.
  if (name && !(isCommon(word) && name.words === 1 && !name.isWhole)) {
    return { query: { ...query, [name.kind]: withName(query[name.kind], name.part) }, words: name.words };
  }
  if (result) {
    return { query: withResult(query, result.is), words: result.words };
  }
  if (named) {
    const { kind, part, words: length, isKnown } = named;
    return {
      query: { ...query, [kind]: withName(query[kind], part) },
      words: length,
      ...(isKnown ? {} : { guessed: true }),
    };
  }
  const newest = /^last(?: \d{1,4})? (?:scans?|tickets?|barcodes?)\b/i.exec(words.join(' '));
  if (newest || (words.length > 0 && fillers.has(word))) {
    return { query, words: newest ? newest[0].split(' ').length : 1 };
  }
  if (words.length > 0 && isCommon(word)) {
    return { ...problem(word === 'unknown' ? 'unknown_result' : 'common_word', token), words: 0 };
  }
  return { ...withToken(query, token, now, zone), words: 0 };
}

/** The name behind a word such as "by": a known one, or the words up to the next part of the search. */
function nameAfter(words: readonly string[], known: Known) {
  const [preposition = '', ...rest] = words;
  const kind = Object.hasOwn(namesBehind, preposition.toLowerCase())
    ? namesBehind[preposition.toLowerCase() as keyof typeof namesBehind]
    : undefined;
  if (kind === undefined) {
    return undefined;
  }
  const name = knownNameAt(rest, known.knownNames);
  if (name) {
    return { kind: name.kind, part: name.part, words: name.words + 1, isKnown: true, isWhole: name.isWhole };
  }
  const end = rest.findIndex((word, at) => {
    const isWord = /^\p{L}[\p{L}\p{N}.'-]*$/u.test(word) && !isCommon(word.toLowerCase());
    return !isWord || resultAt(rest.slice(at)) !== undefined || whenLength(rest.slice(at), known.now, known.zone) > 0;
  });
  const part = rest.slice(0, end < 0 ? rest.length : end);
  return part.length === 0
    ? undefined
    : { kind, part: part.join(' '), words: part.length + 1, isKnown: false, isWhole: false };
}

/** How many of the words, from the first on, are a span of time; 0: none is. */
function whenLength(words: readonly string[], now: number, zone: string): number {
  let length = Math.min(words.length, mostWords);
  while (length > 0 && !parseWhen(words.slice(0, length).join(' '), now, zone)) {
    length -= 1;
  }
  return length;
}

function withWhen(query: ScanQuery, tokens: readonly Token[]): Part {
  return query.when === undefined
    ? { query: { ...query, when: phrase(tokens) } }
    : problem('twice', { ...(tokens[0] as Token), typed: phrase(tokens) });
}

function withToken(query: ScanQuery, token: Token, now: number, zone: string): Part {
  const { key, text } = token;
  if (key === undefined) {
    return withBarcode(query, token);
  }
  if (text === '') {
    return problem('empty', token);
  }
  switch (key as Key) {
    case 'barcode':
      return withBarcode(query, token);
    case 'service':
      return { query: { ...query, services: withName(query.services, text) } };
    case 'user':
      return { query: { ...query, users: withName(query.users, text) } };
    case 'device':
      return { query: { ...query, devices: withName(query.devices, text) } };
    case 'response':
    case 'answer':
      return query[key as 'response'] === undefined ? { query: { ...query, [key]: text } } : problem('twice', token);
    case 'property':
      return withProperty(query, token);
    case 'result': {
      const result = resultWords.get(text.toLowerCase());
      return result ? { query: withResult(query, result) } : problem('unknown_key', token);
    }
    case 'when':
      return parseWhen(text, now, zone) ? withWhen(query, [token]) : problem('when', token);
    default:
      return problem('unknown_key', token);
  }
}

function withBarcode(query: ScanQuery, token: Token): Part {
  const { key, text: typedText, isQuoted } = token;
  if (key === undefined && !isQuoted && /^(?:tomorrow|next|upcoming)$/i.test(typedText)) {
    return problem('future', token);
  }
  const begins = !isQuoted && typedText.endsWith('*');
  const text = isQuoted ? typedText : withHidden(typedText.replace(/^\*/, '').replace(/\*$/, ''));
  if (query.barcode) {
    return problem('twice', token);
  }
  if (text === '') {
    return problem('empty', token);
  }
  const match = isQuoted ? 'is' : begins && !typedText.startsWith('*') ? 'starts' : 'contains';
  return { query: { ...query, barcode: { match, text } } };
}

function withResult(query: ScanQuery, result: QueryResult): ScanQuery {
  return { ...query, results: scanResults.filter((each) => each === result || query.results?.includes(each)) };
}

function withName(names: readonly NamedPart[] | undefined, part: string): readonly NamedPart[] {
  return [...(names ?? []), { part }];
}

/** Adds a property to the query: `property:color=red`, `property:"seat row=12"`. */
function withProperty(query: ScanQuery, token: Token): Part {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(token.text) ?? [];
  if (query.property) {
    return problem('twice', token);
  }
  return name === '' ? problem('property', token) : { query: { ...query, property: { name, value } } };
}

function problem(kind: QueryProblem['kind'], { typed, at }: Token): { readonly problem: QueryProblem } {
  return { problem: { kind, typed, at } };
}
