import { describe, expect, test } from 'vitest';
import { confirm } from '../../../src/slack/block-kit/elements.js';

describe('a confirmation', () => {
  test('a confirmation shows a text of 300 characters in full', () => {
    expect(confirm('Sure?', 'x'.repeat(300), 'Yes').text?.text).toBe('x'.repeat(300));
  });

  test('a confirmation cuts a text of more than 300 characters to at most 300, and says that it is shortened', () => {
    const { text } = confirm('Sure?', `${'x'.repeat(298)}👍👍`, 'Yes').text ?? {};
    expect(text?.length).toBeLessThanOrEqual(300);
    expect(text).toMatch(/^x+… \(Shortened to fit\.\)$/);
  });
});
