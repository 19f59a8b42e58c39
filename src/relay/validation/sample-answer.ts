/** A sample of an answer for its author: the default text, and the author's own with made-up values. Pure. */
import type { Answer, ResultCode } from '../record/settings.js';
import { defaultText } from './default-texts.js';
import { fillPage, fillPlain, fillUrl, placeholders, type Replacements, textOfPage } from './template.js';

export const templatePlaceholders = placeholders;

export function defaultAnswer(finding: ResultCode): string {
  return defaultText(finding, '', undefined);
}

const sample: Omit<Replacements, 'service'> = {
  value: '00123',
  response: 'Welcome',
  user: 'ada',
  device: 'Phone 3',
  count: '2',
  time: '14:03',
  database: 'Tickets',
};

/** The answer as its author will see it on a device; for a page, the page's text. */
export function sampleAnswer({ text, kind }: Pick<Answer, 'text' | 'kind'>, service: string): string {
  const filling = { ...sample, service };
  if (kind === 'url') {
    return fillUrl(text, filling) ?? text;
  }
  return kind === 'page' ? textOfPage(fillPage(text, filling)) : fillPlain(text, filling);
}
