/** The date, time and datetime pickers; the datetime picker uses the reader's time zone. */
import { fromLocalInput, toLocalInput } from '../dates.js';
import { el } from '../dom.js';
import type { FieldValue } from '../form-state.js';
import { type Json, num, str } from '../json.js';
import { controlProps, createField, type Place } from './field.js';

interface Kind {
  readonly input: 'date' | 'time' | 'datetime-local';
  initial(element: Json): FieldValue;
  shown(value: FieldValue, zone: string): string;
  read(text: string, zone: string): FieldValue;
}

const kinds: Readonly<Record<string, Kind>> = {
  datepicker: {
    input: 'date',
    initial: (element) => ({ type: 'datepicker', selected_date: str(element, 'initial_date') ?? null }),
    shown: (value) => str(value, 'selected_date') ?? '',
    read: (text) => ({ type: 'datepicker', selected_date: text || null }),
  },
  timepicker: {
    input: 'time',
    initial: (element) => ({ type: 'timepicker', selected_time: str(element, 'initial_time') ?? null }),
    shown: (value) => str(value, 'selected_time') ?? '',
    read: (text) => ({ type: 'timepicker', selected_time: text || null }),
  },
  datetimepicker: {
    input: 'datetime-local',
    initial: (element) => ({ type: 'datetimepicker', selected_date_time: num(element, 'initial_date_time') ?? null }),
    shown: (value, zone) => {
      const seconds = num(value, 'selected_date_time');
      return seconds === undefined ? '' : toLocalInput(zone, seconds * 1000);
    },
    read: (text, zone) => {
      const ms = text === '' ? undefined : fromLocalInput(zone, text);
      return { type: 'datetimepicker', selected_date_time: ms === undefined ? null : Math.round(ms / 1000) };
    },
  },
};

export function isMoment(type: string): boolean {
  return Object.hasOwn(kinds, type);
}

export function drawMoment(element: Json, place: Place): HTMLElement {
  const kind = kinds[str(element, 'type') ?? ''] as Kind;
  const zone = place.surface.directory.me.tz;
  const field = createField(place, element, kind.initial(element));
  let before = kind.shown(field.value, zone);
  const change = async (): Promise<void> => {
    // While a person types a year, the browser reports years such as 0002, which are ignored.
    if (/^0/.test(control.value) && kind.input !== 'time') return;
    if (await field.change(kind.read(control.value, zone))) before = control.value;
    else control.value = before;
  };
  const control = el('input', {
    ...controlProps(place, element),
    class: 'box box-moment',
    type: kind.input,
    onchange: () => void change(),
    oninput: () => {
      if (place.input && !place.input.dispatches) field.keep(kind.read(control.value, zone));
    },
  });
  control.value = before;
  if (kind.input !== 'datetime-local') return control;
  return el('div', { class: 'moment' }, control, el('span', { class: 'muted' }, zone));
}
