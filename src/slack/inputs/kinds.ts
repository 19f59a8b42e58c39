/** Kinds of input beside those of `forms`: patterns, lists of barcodes, records of the account. */
import { patternMistake } from '../../relay/index.js';
import type { Bounds } from '../forms/bounds.js';
import type { FormActions, Kind } from '../forms/form.js';
import { checkbox, multiPicker, type TextOptions, text } from '../forms/kinds.js';
import { readLines, typedLines } from './barcode-lines.js';

/** The `action_id` of inputs that are read on submission, and of those whose change rerenders the form. */
export const inputActions: FormActions = { field: 'relay.field', rerender: 'relay.redraw' };

export const pickKinds = ['database', 'service', 'user', 'device', 'question'] as const;
export type PickKind = (typeof pickKinds)[number];

export function pickAction(kind: PickKind): string {
  return `relay.pick.${kind}`;
}

export function pattern(options: TextOptions): Kind<string> {
  return {
    ...text(options),
    read(state, fieldName, errors) {
      const enteredText = state.text(fieldName);
      const mistake = enteredText === '' ? 'Enter a pattern.' : patternMistake(enteredText);
      if (mistake !== undefined) {
        errors[fieldName] = mistake;
      }
      return enteredText;
    },
  };
}

/** Barcodes, one a line. The draft is undefined if the stored list fits no input: an empty input does not clear it. */
export const barcodes: Kind<string | undefined, readonly string[]> = {
  blank: '',
  draw: (frame, draft) => text({ multiline: true }).draw(frame, draft ?? ''),
  entered(state, name, before) {
    const entered = state.has(name) ? state.text(name) : (before ?? '');
    return entered === '' ? before && '' : entered;
  },
  content: typedLines,
  read: (state, name) => readLines(state.text(name)),
};

/** Records of the account, picked by name or id; at least one, unless they are optional. */
export function records(kind: PickKind, bounds: Bounds, { optional = false } = {}) {
  const texts = {
    placeholder: `Find ${kind}s`,
    ...(optional ? {} : { missing: `Choose at least one ${kind}.` }),
  };
  return multiPicker({ action: pickAction(kind), ...texts }, bounds);
}

export const ignoreCase = checkbox('Ignore upper and lower case');
