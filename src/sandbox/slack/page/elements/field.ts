/**
 * What all interactive elements share: their place in the view, the attributes that identify them to screen readers and
 * tests, their value in the form, and sending a change to the app (after the app's confirmation, if it has one).
 */
import type { Surface } from '../context.js';
import type { FieldValue } from '../form-state.js';
import { flag, type Json, record, str } from '../json.js';

export interface Place {
  readonly surface: Surface;
  readonly blockId: string;
  /** The element's accessible name, where no label is drawn. */
  readonly label: string;
  /** The input block around the element, if any. */
  readonly input?: {
    readonly controlId: string;
    readonly labelId: string;
    readonly describedBy: string;
    readonly optional: boolean;
    readonly wrong: boolean;
    readonly dispatches: boolean;
  };
}

export function actionId(element: Json): string {
  return str(element, 'action_id') ?? '';
}

/** The attributes of the control that takes the focus. */
export function controlProps(place: Place, element: Json): Record<string, unknown> {
  const { input } = place;
  const label = place.label === '' ? str(record(element, 'placeholder'), 'text') : place.label;
  return {
    'data-action-id': actionId(element),
    'data-focus-on-load': flag(element, 'focus_on_load'),
    ...(input
      ? {
          id: input.controlId,
          'aria-labelledby': input.labelId,
          'aria-describedby': input.describedBy || undefined,
          'aria-invalid': input.wrong ? 'true' : undefined,
          // ARIA does not allow `aria-required` on a group of checkboxes; the label says it instead.
          'aria-required': input.optional || element.type === 'checkboxes' ? undefined : 'true',
        }
      : { 'aria-label': label || String(element.type) }),
  };
}

export interface Field {
  readonly value: FieldValue;
  /** Stores the value without notifying the app. */
  keep(value: FieldValue): void;
  /**
   * Stores the value and notifies the app if the element does that. False: the person declined, and the old value
   * stays.
   */
  change(value: FieldValue): Promise<boolean>;
}

export function createField(place: Place, element: Json, initial: FieldValue): Field {
  const { surface, blockId } = place;
  const id = actionId(element);
  const firstValue = surface.form.begin(blockId, id, initial);
  const dispatches = place.input === undefined || place.input.dispatches;
  return {
    value: firstValue,
    keep: (value) => surface.form.set(blockId, id, value),
    async change(value) {
      const question = record(element, 'confirm');
      if (dispatches && question && !(await surface.confirm(question))) return false;
      surface.form.set(blockId, id, value);
      if (dispatches) await surface.act(blockId, id, value);
      return true;
    },
  };
}
