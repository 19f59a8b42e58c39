/** The input of each part of a condition, by the part's schema and entry. */
import { z } from 'zod';
import { utcZone } from '../../codereadr/operations/zones.js';
import type { Entry, PartInput } from '../../relay/index.js';
import { boundsOf } from '../forms/bounds.js';
import type { Fields, Kind } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import { defaultHours, hours, zone } from '../inputs/hours.js';
import { barcodes, ignoreCase, pattern } from '../inputs/kinds.js';
import { idOption } from '../operations/form/resources.js';
import { comparison } from './comparison.js';
import type { ConditionSource } from './condition.js';

type AnyKind = Fields[string]['kind'] & {
  /** The value that is shown where nothing is stored, where that depends on whom the form is opened for. */
  readonly initialFor?: (source: ConditionSource) => unknown;
  /** The content that reads as an id: its option with the name. */
  readonly optionOf?: (id: string, source: ConditionSource) => unknown;
};

const inputs: Readonly<Record<PartInput, (entry: Entry, schema: z.ZodType) => AnyKind>> = {
  number: (_, schema) => kinds.integer(boundsOf(schema)),
  text: ({ placeholder, missing, max }, schema) =>
    kinds.text({ placeholder, missing, max: max ?? boundsOf(schema).max }),
  pattern: ({ placeholder }, schema) => pattern({ ...boundsOf(schema), placeholder }),
  lines: () => barcodes,
  letter_case: () => ({ ...ignoreCase, content: (exact) => !exact, read: (state, name) => !state.ticked(name) }),
  one_of: (entry) => kinds.select(choicesOf(entry)),
  either: (entry) => either(choicesOf(entry)),
  comparison: (entry) => comparison(choicesOf(entry)),
  hours: () => ({ ...hours, initialFor: (source) => defaultHours(source.zone) }),
  zone: () => ({ ...zone, initialFor: (source) => source.zone ?? utcZone }),
  question: () => ({
    ...kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question' }),
    optionOf: (id, { nameOf }) => nameOf('question', id) ?? idOption('question', id),
  }),
};

/** The inputs whose change shows the preview of the rule anew. */
const rerendering: ReadonlySet<PartInput> = new Set(['text', 'pattern', 'one_of', 'either', 'comparison']);

export function inputOf(entry: Entry, schema: z.ZodType) {
  const name = entry.as ?? (schema instanceof z.ZodNumber ? 'number' : 'text');
  return { kind: inputs[name](entry, schema), rerenders: rerendering.has(name) };
}

function choicesOf({ choices = {} }: Entry): Choice[] {
  return Object.entries(choices);
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
