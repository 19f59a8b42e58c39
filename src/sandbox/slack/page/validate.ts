/** Owns what Slack's client refuses before a modal is sent: a required field left empty, a text too short or too long, a number, address or URL that is none. */
import type { FieldValue, FormValues } from './form-state.js';
import { flag, type Json, num, record, str } from './json.js';

function isEmpty(value: FieldValue | undefined): boolean {
  if (!value) return true;
  const { type: _, ...rest } = value;
  return Object.values(rest).every(
    (one) => one === null || one === undefined || one === '' || (Array.isArray(one) && one.length === 0),
  );
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)$/;

function wrongText(element: Json, text: string): string | undefined {
  const least = num(element, 'min_length');
  const most = num(element, 'max_length');
  if (least !== undefined && text.length < least) return `Enter at least ${least} characters.`;
  if (most !== undefined && text.length > most) return `Enter at most ${most} characters; there are ${text.length}.`;
  if (element.type === 'email_text_input' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    return 'Enter an e-mail address.';
  if (element.type === 'url_text_input' && !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text))
    return 'Enter an address that begins with https://.';
  if (element.type !== 'number_input') return undefined;
  if (!numberPattern.test(text)) return 'Enter a number.';
  if (!flag(element, 'is_decimal_allowed') && text.includes('.')) return 'Enter a whole number.';
  const low = str(element, 'min_value');
  const high = str(element, 'max_value');
  if (low !== undefined && Number(text) < Number(low)) return `Enter a number of at least ${low}.`;
  if (high !== undefined && Number(text) > Number(high)) return `Enter a number of at most ${high}.`;
  return undefined;
}

/** By block id, what to say under the input. Empty: the form may go. */
export function validate(blocks: readonly Json[], values: FormValues): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input') continue;
    const blockId = str(block, 'block_id') ?? '';
    const element = record(block, 'element') ?? {};
    const value = values[blockId]?.[str(element, 'action_id') ?? ''];
    if (isEmpty(value)) {
      if (!flag(block, 'optional')) wrong[blockId] = 'Please fill in this field.';
      continue;
    }
    const text = str(value, 'value');
    const why = text === undefined ? undefined : wrongText(element, text);
    if (why !== undefined) wrong[blockId] = why;
  }
  return wrong;
}
