/** The form for the device response to one result code, with an example of each variable. Pure. */
import { z } from 'zod';
import {
  type Answer,
  answerSchema,
  defaultAnswer,
  isUrlTemplate,
  type ResultCode,
  resultCodes,
  sampleAnswer,
  templatePlaceholders,
} from '../../../../relay/index.js';
import { resultWords } from '../../../../scans/result-words.js';
import { actions, type Block, button, cut, type ModalView, modalView } from '../../../block-kit/elements.js';
import { noticeBlocks } from '../../../block-kit/notice.js';
import { bold, bulletList, code, richText } from '../../../block-kit/text.js';
import { encode } from '../../../bolt/metadata.js';
import { inputActions } from '../../../conditions/inputs/kinds.js';
import { boundsOf } from '../../../forms/bounds.js';
import { createForm, type DraftOf, fieldsOf, type Kind, when } from '../../../forms/form.js';
import { type Choice, longestText } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { relayOrigin } from '../etag.js';

const colors: readonly Choice[] = [
  ['none', 'Default'],
  ['#1a7f37', 'Green'],
  ['#c62828', 'Red'],
  ['#b26a00', 'Amber'],
  ['#1264a3', 'Blue'],
  ['other', 'Other…'],
];

const colorCode: Kind<string> = {
  ...kinds.text({ max: 7, placeholder: '#1a7f37' }),
  read(state, name, errors) {
    const entered = state.text(name).trim();
    if (!answerSchema.shape.color.safeParse(entered).success) {
      errors[name] = 'Enter a color like #1a7f37.';
    }
    return entered;
  },
};

/** The maker of the form's fields, from the stored response; `{}` if the relay has none for the result. */
const field = fieldsOf<Partial<Answer>>();

export const answerForm = (finding: ResultCode) =>
  createForm('answer', inputActions, {
    text: field(kinds.text({ multiline: true, placeholder: defaultAnswer(finding) }), {
      label: 'Text',
      hint: 'The placeholders listed below are replaced with their values.',
      optional: true,
      path: 'text',
    }),
    kind: field(
      kinds.radio<Answer['kind']>([
        ['plain', 'Plain text'],
        ['page', 'Web page', 'The text is HTML; inserted values are escaped'],
        ['url', 'URL', 'The text is a URL that devices open; inserted values are encoded'],
      ]),
      { label: 'Format', path: 'kind', initial: 'plain' },
    ),
    title: field(kinds.text(boundsOf(answerSchema.shape.title)), {
      label: 'Heading',
      optional: true,
      path: 'title',
    }),
    color: field(kinds.select(colors, { none: 'none' }), {
      label: 'Color',
      rerenders: true,
      from(answer) {
        const color = answer.color?.toLowerCase() ?? 'none';
        return colors.some(([value]) => value === color) ? color : 'other';
      },
    }),
    hex: field(colorCode, {
      label: 'Color code',
      shown: when('color', 'other'),
      path: 'color',
    }),
  });

export type AnswerDraft = DraftOf<ReturnType<typeof answerForm>['fields']>;

/** Reads the form. `answer` is undefined if the form holds nothing but the default response. */
export function readAnswer(
  finding: ResultCode,
  state: FormState,
): { readonly errors: Errors } | { readonly answer: Answer | undefined } {
  const errors: Errors = {};
  const form = answerForm(finding);
  const { color, hex = color, ...values } = form.read(state, errors);
  if (values.kind === 'url' && !isUrlTemplate(values.text ?? '')) {
    errors[form.nameOf('text')] = 'Enter a URL that begins with https://. Its host can’t be a placeholder.';
  }
  if (Object.keys(errors).length > 0) {
    return { errors };
  }
  const answer = form.write<Partial<Answer>>({}, { ...values, hex });
  const isDefault = answer.text === undefined && answer.title === undefined && answer.color === undefined;
  return { answer: isDefault ? undefined : { text: '', kind: 'plain', ...answer } };
}

const placeholderDescriptions: Readonly<Record<(typeof templatePlaceholders)[number], string>> = {
  value: 'the barcode',
  response: 'the response from the database or account',
  user: 'the user who scanned it',
  device: 'the device',
  service: 'the service',
  count: 'how often the barcode was scanned, including this time',
  time: 'the time; for a duplicate, the time of the first scan',
  database: 'the database that contains it',
};

export const answerMetadata = z.object({ ...relayOrigin, finding: z.enum(resultCodes) });

/** @param exampleService the name of the service in the example; undefined: no example is shown */
export function answerView(
  draft: AnswerDraft,
  metadata: z.output<typeof answerMetadata>,
  exampleService?: string,
): ModalView {
  const { finding } = metadata;
  const { draw } = answerForm(finding);
  const blocks: Block[] = [
    richText([bold(resultWords[finding])], 'Leave the text blank to show the default text.'),
    ...draw(draft, 'text'),
    ...(draft.text.length > longestText
      ? noticeBlocks({
          problem: 'The current text is too long to edit here. Saving replaces it with what you enter.',
        })
      : []),
    placeholdersBlock,
    ...draw(draft, 'kind', 'title', 'color', 'hex'),
    ...(exampleService === undefined ? [] : exampleBlocks(finding, draft, exampleService)),
    actions([button('Show example', 'relay.again')]),
  ];
  return modalView('Response', blocks, {
    callback_id: 'relay.answer',
    submit: 'Save',
    private_metadata: encode(answerMetadata, metadata),
  });
}

const placeholdersBlock = bulletList(
  templatePlaceholders.map((placeholder) => [code(`{${placeholder}}`), ` ${placeholderDescriptions[placeholder]}`]),
);

function exampleBlocks(finding: ResultCode, draft: AnswerDraft, serviceName: string): Block[] {
  const text =
    draft.text === ''
      ? defaultAnswer(finding)
      : sampleAnswer({ text: draft.text, kind: draft.kind ?? 'plain' }, serviceName);
  return [
    richText(
      [bold('Example')],
      [...(draft.title === '' ? [] : [bold(draft.title), '\n']), text === '' ? '(blank)' : cut(text, 1_000)],
    ),
  ];
}
