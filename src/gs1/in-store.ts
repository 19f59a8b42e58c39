/**
 * Numbers of a shop's scales: an EAN-13 from 20 to 29 holds an article's number, then a weight or a price. Each shop
 * decides what stands where; this is the usual way. Pure.
 */
import { hasRightCheckDigit, withCheckDigit } from './check-digit.js';

export interface InStoreNumber {
  /** The prefix and the five digits of the article. */
  readonly article: string;
  /** The five digits that are a weight in grams or a price in cents. */
  readonly measure: string;
}

export function inStoreNumber(value: string): InStoreNumber | undefined {
  return /^2\d{12}$/.test(value) && hasRightCheckDigit(value)
    ? { article: value.slice(0, 7), measure: value.slice(7, 12) }
    : undefined;
}

/** The numbers under which shops keep such an article: without a weight, or cut. They are other barcodes. */
export function inStoreArticles(value: string): readonly string[] {
  const { article } = inStoreNumber(value) ?? {};
  return article === undefined
    ? []
    : [
        withCheckDigit(`${article}00000`),
        `${article}000000`,
        article,
        article.slice(2),
        article.slice(2).replace(/^0+/, ''),
      ];
}
