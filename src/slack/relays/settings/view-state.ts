/** Reads a settings form's state by field name. A field absent from the form keeps its setting. Nothing is trimmed. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { isPatternTooLarge, patternProblem } from '../../../relay/index.js';
import { blockNamed } from '../../block-kit/block-names.js';
import type { Option } from '../../block-kit/elements.js';
import { unavailable } from '../../block-kit/view-state.js';
import type { GivenFile } from '../../operations/form/held.js';
import { describePatternError } from './describe-pattern-error.js';

export interface FormState {
  has(name: string): boolean;
  /** '' if nothing was entered. Also for times and numbers. */
  text(name: string): string;
  choice(name: string): string | undefined;
  /** With their labels, for a redraw. */
  options(name: string): readonly Option[];
  choices(name: string): readonly string[];
  ticked(name: string): boolean;
  users(name: string): readonly string[];
  channel(name: string): string | undefined;
  file(name: string): GivenFile | undefined;
}

const plainText = z.object({ type: z.literal('plain_text'), text: z.string(), emoji: z.boolean().optional() });
const pickedOption = z.object({ text: plainText, value: z.string(), description: plainText.optional() });

const slackFile = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string().default('application/octet-stream'),
  size: z.number().default(0),
  url_private: z.string().default(''),
});

export function formStateIn({ state }: Pick<ViewOutput, 'state'>): FormState {
  const { values } = state;
  const only = (name: string) => Object.values(values[blockNamed(Object.keys(values), name) ?? ''] ?? {})[0];
  const options = (name: string): readonly Option[] => {
    const element = only(name);
    const picked = element?.selected_options ?? (element?.selected_option ? [element.selected_option] : []);
    const parsed = z.array(pickedOption).safeParse(picked);
    return parsed.success ? parsed.data.filter(({ value }) => value !== unavailable) : [];
  };
  const choices = (name: string) => options(name).map(({ value = '' }) => value);
  return {
    has: (name) => only(name) !== undefined,
    text: (name) => only(name)?.value ?? only(name)?.selected_time ?? '',
    choice: (name) => choices(name)[0],
    options,
    choices,
    ticked: (name) => choices(name).length > 0,
    users: (name) => only(name)?.selected_users ?? [],
    channel: (name) => only(name)?.selected_conversation ?? undefined,
    file(name) {
      const parsed = z.array(slackFile).safeParse((only(name) as { files?: unknown } | undefined)?.files ?? []);
      const [file] = parsed.success ? parsed.data : [];
      return file && { id: file.id, name: file.name, type: file.mimetype, size: file.size, url: file.url_private };
    },
  };
}

export type Errors = Record<string, string>;

/** A pattern, or an error at its field. */
export function patternIn(entered: FormState, name: string, errors: Errors): string {
  const pattern = entered.text(name);
  const problem = pattern === '' ? 'Enter a pattern.' : patternProblem(pattern);
  if (problem !== undefined) {
    errors[name] = pattern === '' ? problem : describePatternError(problem);
  } else if (isPatternTooLarge(pattern)) {
    errors[name] =
      'This pattern repeats too much to check every scan against it. Use smaller numbers in braces, or + and *.';
  }
  return pattern;
}

/** An integer within bounds; else undefined, with an error at its field. */
export function integerIn(
  entered: FormState,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  errors: Errors,
): number | undefined {
  const text = entered.text(name).trim();
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= min && value <= max) {
    return value;
  }
  errors[name] = `Enter a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`;
  return undefined;
}
