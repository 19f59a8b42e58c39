/**
 * Text inputs. All are plain text boxes to the browser, since its number, e-mail and URL inputs trim or drop what a
 * person typed.
 */
import { el } from '../dom.js';
import { flag, type Json, num, record, str, strings } from '../json.js';
import { plainOf } from '../mrkdwn.js';
import { controlProps, createField, type Place } from './field.js';

const modes: Readonly<Record<string, string>> = {
  number_input: 'decimal',
  email_text_input: 'email',
  url_text_input: 'url',
};

const dispatchDelayMs = 250;

export function drawTextInput(element: Json, place: Place): HTMLElement {
  const type = str(element, 'type') ?? 'plain_text_input';
  const initial = str(element, 'initial_value') ?? null;
  const field = createField(place, element, { type, value: initial === '' ? null : initial });
  const multiline = type === 'plain_text_input' && flag(element, 'multiline');
  const triggers = strings(record(element, 'dispatch_action_config'), 'trigger_actions_on');
  const onEnter = triggers.length === 0 || triggers.includes('on_enter_pressed');
  const dispatches = place.input?.dispatches === true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const value = (): { type: string; value: string | null } => ({
    type,
    value: control.value === '' ? null : control.value,
  });
  const props = {
    ...controlProps(place, element),
    class: 'box',
    placeholder: plainOf(record(element, 'placeholder')) || undefined,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    oninput: () => {
      field.keep(value());
      count();
      if (!dispatches || !triggers.includes('on_character_entered')) return;
      clearTimeout(timer);
      timer = setTimeout(() => void field.change(value()), dispatchDelayMs);
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.isComposing || multiline || !dispatches || !onEnter) return;
      event.preventDefault();
      void field.change(value());
    },
  };
  const control = multiline
    ? el('textarea', { ...props, rows: '4' })
    : el('input', { ...props, type: 'text', inputmode: modes[type] });
  control.value = str(field.value, 'value') ?? '';
  const most = num(element, 'max_length');
  const counter = el('span', { class: 'counter', 'aria-live': 'polite' });
  // Slack reports a text that is too long instead of truncating it. The counter shows near the limit only.
  const count = (): void => {
    const left = (most ?? 3000) - control.value.length;
    counter.textContent = left < 20 ? String(left) : '';
    counter.classList.toggle('counter-over', left < 0);
  };
  count();
  return el('div', { class: 'text-input' }, control, counter);
}
