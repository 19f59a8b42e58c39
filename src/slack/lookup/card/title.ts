/**
 * The title of an answer: its sign, the headline, and its age and doubt. Every message draws titles here, so that none
 * drops the age or takes outside text for markup. Pure.
 */
import { upperFirst } from '../../../english.js';
import { type Headline, resultOfHeadline } from '../../../lookup/index.js';
import { resultWords } from '../../../scans/result-words.js';
import { resultSigns, signs } from '../../block-kit/describe-result.js';
import { type Block, cut, mrkdwn, plain } from '../../block-kit/elements.js';
import { escaped, mrkdwnMomentAfter, settled } from '../../block-kit/text.js';

type Titled = Pick<Headline, 'kind' | 'tone' | 'title' | 'dated'>;

/** The most characters of a header, which Slack limits. */
const longestTitle = 150;

function signOf({ kind, tone }: Titled): string {
  return tone === 'unsure' ? signs.unsure : resultSigns[resultOfHeadline[kind]];
}

/** The title on one line, with its time and doubt, as mrkdwn. */
export function titleText(headline: Titled, longest = longestTitle): string {
  const { dated } = headline;
  return dated
    ? `${signOf(headline)} ${escaped(dated.before)}${mrkdwnMomentAfter('as of ', dated.at)}${dated.after}`
    : escaped(cut(settled(`${signOf(headline)} ${headline.title}`), longest));
}

/**
 * The title as a header, and small below it what no header can hold: its time, and where an unknown barcode is not. It
 * has the same size with a time and without.
 */
export function titleBlocks(headline: Titled): Block[] {
  const { kind, title, dated } = headline;
  const { unknown, valid } = resultWords;
  const whole = dated ? `${dated.before.replace(/[, ]+$/, '')}${dated.after}` : title;
  const large = kind === 'unknown' ? unknown : whole;
  const where = kind === 'unknown' ? [plain(cut(settled(upperFirst(whole.replace(`${unknown}: `, ''))), 300))] : [];
  // Of a title whose scan may be newer, the time is that of the values.
  const of = dated?.before === `${valid} ` ? `${valid} as of ` : 'As of ';
  const below = [...where, ...(dated ? [mrkdwn(mrkdwnMomentAfter(of, dated.at))] : [])];
  return [
    { type: 'header', text: plain(cut(settled(`${signOf(headline)} ${large}`), longestTitle)) },
    ...(below.length > 0 ? [{ type: 'context' as const, elements: below }] : []),
  ];
}
