/** Block Kit inputs within Slack's limits, and the blocks between them. Pure. */
import { blockNamed } from '../block-kit/block-names.js';
import { type Block, cut, type Input, type Option, option, plain } from '../block-kit/elements.js';
import type { Frame } from './form.js';

/** Slack's limit for the text of an input, in characters. */
export const longestText = 3_000;

/** A choice: its value, its label and its description. */
export type Choice<T extends string = string> = readonly [value: T, label: string, description?: string];

export function input(frame: Frame, element: Input['element']): Input {
  return {
    type: 'input',
    block_id: frame.name,
    label: plain(cut(frame.label, 2_000)),
    ...(frame.hint === undefined ? {} : { hint: plain(cut(frame.hint, 2_000)) }),
    ...(frame.optional ? { optional: true } : {}),
    ...(frame.rerenders ? { dispatch_action: true } : {}),
    element,
  };
}

export function optionsOf(choices: readonly Choice[]): Option[] {
  return choices.map(([value, label, description]) => option(label, value, description));
}

export function initialOption(options: readonly Option[], chosenValue: string | undefined) {
  const initial = options.find(({ value }) => value === chosenValue);
  return initial ? { initial_option: initial } : {};
}

export function initialOptions(options: readonly Option[]) {
  return options.length > 0 ? { initial_options: [...options] } : {};
}

export function heading(text: string): Block {
  return { type: 'header', text: plain(cut(text, 150)) };
}

/** The labels of the fields that have errors, in words: `“Pattern”, “Channel”`; `the form`, where it lacks them. */
export function labelsOf(blocks: readonly Block[], errors: Readonly<Record<string, string>>): string {
  const names = Object.keys(errors);
  const labels = blocks.flatMap((block) =>
    block.type === 'input' && names.some((name) => blockNamed([block.block_id ?? ''], name))
      ? [`“${block.label.text}”`]
      : [],
  );
  return labels.length > 0 ? [...new Set(labels)].join(', ') : 'the form';
}
