/**
 * The title of an answer: its sign, the headline, and its age and doubt. Every message draws titles here, so that none
 * drops the age or takes outside text for markup. Pure.
 */
import { upperFirst } from '../../../english.js';
import { type Headline, resultOfHeadline } from '../../../lookup/index.js';
import { resultWords } from '../../../scans/result-words.js';
import { resultSigns, signs } from '../../block-kit/describe-result.js';
import { type Block, cut, mrkdwn, plain, section } from '../../block-kit/elements.js';
import { escaped, mrkdwnMomentAfter, settled } from '../../block-kit/text.js';

type Titled = Pick<Headline, 'kind' | 'tone' | 'title' | 'dated'>;

/** The most characters of a header, which Slack limits. */
const longestTitle = 150;

function signOf({ kind, tone }: Titled): string {
  return tone === 'unsure' ? signs.unsure : resultSigns[resultOfHeadline[kind]];
}

/** The title in plain text, which shows no time in the reader's own zone. */
function plainTitle(headline: Titled, longest: number): string {
  return cut(settled(`${signOf(headline)} ${headline.title}`), longest);
}

/** The title in mrkdwn. */
export function titleText(headline: Titled, longest = longestTitle): string {
  const { dated } = headline;
  return dated
    ? `${signOf(headline)} ${escaped(dated.before)}${ageText(dated)}`
    : escaped(plainTitle(headline, longest));
}

function ageText({ at, after }: NonNullable<Titled['dated']>): string {
  return `${mrkdwnMomentAfter('as of ', at)}${after}`;
}

/** The title as a header, or with its time; of an unknown barcode one word, and the databases small below it. */
export function titleBlocks(headline: Titled): Block[] {
  const { kind, title, dated } = headline;
  if (kind === 'unknown') {
    const word = resultWords.unknown;
    const where = plain(cut(settled(upperFirst((dated?.before ?? title).replace(`${word}: `, ''))), 300));
    return [
      { type: 'header', text: plain(`${signOf(headline)} ${word}`) },
      { type: 'context', elements: [where, ...(dated ? [mrkdwn(ageText(dated))] : [])] },
    ];
  }
  return [
    dated ? section(`*${titleText(headline)}*`) : { type: 'header', text: plain(plainTitle(headline, longestTitle)) },
  ];
}
