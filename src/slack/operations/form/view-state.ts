/** A submitted form's contents: Slack's view state, by parameter. Pure. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { Option } from '../../block-kit/elements.js';
import { unavailable } from '../../block-kit/view-state.js';
import { fileOf, type GivenFile, type InputContent, type InputContents, textOf } from './input-values.js';

type Values = ViewOutput['state']['values'];

export interface SubmittedState {
  readonly entered: InputContents;
  /** By parameter: texts given as files. */
  readonly textFiles: Readonly<Record<string, GivenFile>>;
  /** By parameter: URLs given in place of files; also in `entered` where no file is. */
  readonly links: Readonly<Record<string, string>>;
  /** By group: the fields to be emptied. */
  readonly clears: InputContents;
}

const slackFile = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string().default('application/octet-stream'),
  size: z.number().default(0),
  url_private: z.string().default(''),
});

export function readViewState(values: Values): SubmittedState {
  const entered: Record<string, InputContent> = {};
  const textFiles: Record<string, GivenFile> = {};
  const links: Record<string, string> = {};
  const clears: Record<string, InputContent> = {};
  for (const [blockId, actions] of Object.entries(values)) {
    const [element] = Object.values(actions);
    const content = element && contentOf(element);
    if (!content) {
      continue;
    }
    const name = blockId.slice(2);
    if (blockId.startsWith('v.')) {
      entered[name] = content;
    } else if (blockId.startsWith('f.')) {
      const file = fileOf(content);
      if (file) textFiles[name] = file;
    } else if (blockId.startsWith('u.')) {
      const link = textOf(content).trim();
      if (link !== '') links[name] = link;
    } else if (blockId.startsWith('c.')) {
      clears[name] = content;
    }
  }
  for (const [name, link] of Object.entries(links)) {
    entered[name] ??= { text: link };
  }
  return { entered, textFiles, links, clears };
}

/** An empty input counts as content too: an unticked box, a cleared text. */
function contentOf(element: Values[string][string]): InputContent | undefined {
  const { type } = element;
  if (type === 'file_input') {
    const parsed = z.array(slackFile).safeParse((element as { files?: unknown }).files ?? []);
    const [file] = parsed.success ? parsed.data : [];
    return (
      file && { file: { id: file.id, name: file.name, type: file.mimetype, size: file.size, url: file.url_private } }
    );
  }
  if (type === 'datepicker' || type === 'timepicker') {
    return { text: element.selected_date ?? element.selected_time ?? '' };
  }
  if (type === 'checkboxes' || type.startsWith('multi_')) {
    return { picked: chosenOptions(element.selected_options ?? []) };
  }
  if (type === 'radio_buttons' || type.endsWith('_select')) {
    return { picked: chosenOptions(element.selected_option ? [element.selected_option] : []) };
  }
  return { text: element.value ?? '' };
}

const plainText = z.object({ type: z.literal('plain_text'), text: z.string(), emoji: z.boolean().optional() });
const pickedOption = z.object({ text: plainText, value: z.string(), description: plainText.optional() });

/** The placeholder of a failed picker is no choice. */
function chosenOptions(options: readonly unknown[]): readonly Option[] {
  const picked = z.array(pickedOption).safeParse(options);
  return picked.success ? picked.data.filter(({ value }) => value !== unavailable) : [];
}
