/** UPC-E, the short form of UPC-A that leaves out zeros (GS1 General Specifications, 5.2.2.4). Pure. */
import { hasRightCheckDigit } from './check-digit.js';

/** The UPC-A number that eight digits stand for; undefined if they are no UPC-E. */
export function expandUpcE(digits: string): string | undefined {
  const [, system, maker, three, four, five, lastDigit, check] =
    /^([01])(\d{2})(\d)(\d)(\d)(\d)(\d)$/.exec(digits) ?? [];
  if (lastDigit === undefined) {
    return undefined;
  }
  const middle =
    lastDigit <= '2'
      ? `${maker}${lastDigit}0000${three}${four}${five}`
      : lastDigit === '3'
        ? `${maker}${three}00000${four}${five}`
        : lastDigit === '4'
          ? `${maker}${three}${four}00000${five}`
          : `${maker}${three}${four}${five}0000${lastDigit}`;
  const article = `${system}${middle}${check}`;
  return hasRightCheckDigit(article) ? article : undefined;
}

/** The codes of eight digits that stand for a UPC-A number. */
export function shortenUpcA(article: string): readonly string[] {
  const [m, n] = [article.slice(1, 6), article.slice(6, 11)];
  return [
    `${m.slice(0, 2)}${n.slice(2)}${m[2]}`,
    `${m.slice(0, 3)}${n.slice(3)}3`,
    `${m.slice(0, 4)}${n.slice(4)}4`,
    `${m}${n.slice(4)}`,
  ]
    .map((middle) => `${article[0]}${middle}${article[11]}`)
    .filter((digits, at, all) => expandUpcE(digits) === article && all.indexOf(digits) === at);
}
