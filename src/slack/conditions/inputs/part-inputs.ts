/** The input of each part of a condition, by the part's schema and entry. */
import { z } from 'zod';
import { utcZone } from '../../../codereadr/operations/zones.js';
import { lowerFirst } from '../../../english.js';
import type { ChoiceName, Entry, InputName } from '../../../relay/index.js';
import { boundsOf } from '../../forms/bounds.js';
import type { Fields, Kind } from '../../forms/form.js';
import type { Choice } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import { idOption } from '../../operations/form/resources.js';
import type { ConditionSource } from '../condition.js';
import { comparison } from './comparison.js';
import { defaultHours, hours, zone } from './hours.js';
import { barcodes, ignoreCase, pattern } from './kinds.js';

interface PartInput {
  readonly kind: Fields[string]['kind'];
  readonly rerenders?: true;
  /** What is shown where nothing is stored, where that depends on whom the form is opened for. */
  initial?(source: ConditionSource): unknown;
  /** The content that reads as a value, where that depends on more than the value. */
  content?(value: never, source: ConditionSource): unknown;
}

const choicesOf = ({ choices = {} }: Entry) => Object.entries(choices) as Choice[];

const inputs: Readonly<
  Record<InputName | ChoiceName | 'number' | 'text', (entry: Entry, schema: z.ZodType) => PartInput>
> = {
  number: (_, schema) => ({ kind: kinds.integer(boundsOf(schema)) }),
  text: ({ placeholder, missing, max }, schema) => ({
    kind: kinds.text({ placeholder, missing, max: max ?? boundsOf(schema).max }),
    rerenders: true,
  }),
  pattern: ({ placeholder }, schema) => ({ kind: pattern({ ...boundsOf(schema), placeholder }), rerenders: true }),
  lines: (entry, schema) => ({ kind: lines(entry, boundsOf(schema).max) }),
  letter_case: () => ({
    kind: { ...ignoreCase, content: (exact: boolean) => !exact, read: (state, name) => !state.ticked(name) },
  }),
  one_of: (entry) => ({ kind: kinds.select(choicesOf(entry)), rerenders: true }),
  either: (entry) => ({ kind: either(choicesOf(entry)), rerenders: true }),
  comparison: (entry) => ({ kind: comparison(choicesOf(entry)), rerenders: true }),
  hours: () => ({ kind: hours, initial: (source) => defaultHours(source.zone) }),
  zone: () => ({ kind: zone, initial: (source) => source.zone ?? utcZone }),
  question: () => ({
    kind: kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question' }),
    content: (id: string, { nameOf }) => nameOf('question', id) ?? idOption('question', id),
  }),
};

export function inputOf(entry: Entry, schema: z.ZodType): PartInput {
  return inputs[entry.as ?? (schema instanceof z.ZodNumber ? 'number' : 'text')](entry, schema);
}

/** A list of texts, one a line. */
function lines({ label, missing }: Entry, max = 0): typeof barcodes {
  return {
    ...barcodes,
    read(state, name, errors) {
      const entered = barcodes.read(state, name, errors) ?? [];
      if (entered.length === 0 && missing !== undefined) {
        errors[name] = missing;
      } else if (entered.length > max) {
        errors[name] = `Enter at most ${max.toLocaleString('en-US')} ${lowerFirst(String(label))}.`;
      }
      return entered;
    },
  };
}

/** A boolean with two labels: the first is that of true. */
function either(choices: readonly Choice[]): Kind<string | undefined, boolean> {
  const [yes, no] = choices.map(([value]) => value);
  return {
    ...kinds.radio(choices),
    content: (value) => (value ? yes : no),
    read: (state, name) => state.choice(name) !== no,
  };
}
