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
