/**
 * Owns what all interactive elements share: where they stand, the attributes that name them to people and tests, the value
 * kept in the form, and telling the app of a change (asking first where the app wants a confirmation).
 */
import type { Surface } from '../context.js';
import type { FieldValue } from '../form-state.js';
import { flag, type Json, record, str } from '../json.js';

export interface Place {
  readonly surface: Surface;
  readonly blockId: string;
  /** What the element is about, for screen readers, where no label is drawn. */
  readonly label: string;
  /** Set inside an input block. */
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

/** The attributes of the one control a person focuses. */
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
          // A group of checkboxes may not say so; its label does.
          'aria-required': input.optional || element.type === 'checkboxes' ? undefined : 'true',
        }
      : { 'aria-label': label || String(element.type) }),
  };
}

export interface Field {
  readonly value: FieldValue;
  /** Keeps the value without a word to the app. */
  keep(value: FieldValue): void;
  /** Keeps it and tells the app where the element does so. False: the person said no, and the old value stands. */
  change(value: FieldValue): Promise<boolean>;
}

export function createField(place: Place, element: Json, initial: FieldValue): Field {
  const { surface, blockId } = place;
  const id = actionId(element);
  const begun = surface.form.begin(blockId, id, initial);
  const acts = place.input === undefined || place.input.dispatches;
  return {
    value: begun,
    keep: (value) => surface.form.set(blockId, id, value),
    async change(value) {
      const question = record(element, 'confirm');
      if (acts && question && !(await surface.confirm(question))) return false;
      surface.form.set(blockId, id, value);
      if (acts) await surface.act(blockId, id, value);
      return true;
    },
  };
}
