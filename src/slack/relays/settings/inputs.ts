/**
 * Single inputs of the settings forms that are not declared with the form engine. A field's name is its `block_id`:
 * Slack keeps what was entered when the rerendered form has the same name. Pure.
 */
import type { Input } from '../../block-kit/elements.js';
import type { Frame } from '../../forms/form.js';
import type { Choice } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import { settingActions } from './ids.js';

export interface InputLabel {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  /** A change rerenders the form. */
  readonly rerenders?: boolean;
}

function frameOf(label: InputLabel): Frame {
  return { ...label, action: label.rerenders ? settingActions.redraw : settingActions.field };
}

export function textInput(label: InputLabel, value: string, options: kinds.TextOptions = {}): Input {
  return kinds.text(options).draw(frameOf(label), value) as Input;
}

/** One of a few options, all visible. */
export function radioInput(label: InputLabel, choices: readonly Choice[], chosen: string): Input {
  return kinds.radio(choices).draw(frameOf(label), chosen) as Input;
}

/** One of many options. */
export function selectInput(label: InputLabel, choices: readonly Choice[], chosen: string | undefined): Input {
  return kinds.select(choices).draw(frameOf(label), chosen) as Input;
}

export function multiSelectInput(label: InputLabel, choices: readonly Choice[], chosen: readonly string[]): Input {
  return kinds.multiSelect(choices).draw(frameOf(label), chosen) as Input;
}
