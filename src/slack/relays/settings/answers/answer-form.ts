/** The form for the device response to one result code, with an example. Pure. */
import {
  type Answer,
  defaultAnswer,
  type ResultCode,
  sampleAnswer,
  templatePlaceholders,
} from '../../../../relay/index.js';
import { actions, type Block, button, cut, type ModalView, modalView } from '../../../block-kit/elements.js';
import { bold, code, textElement } from '../../../block-kit/text.js';
import { resultLabels } from '../../../channel-posts/describe/describe-settings.js';
import { type Choice, longestText, paragraph, warning } from '../../../forms/inputs.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { settingActions, settingCallbacks } from '../ids.js';
import { radioInput, selectInput, textInput } from '../inputs.js';

export const answerParts = {
  text: 'answer.text',
  kind: 'answer.kind',
  title: 'answer.title',
  color: 'answer.color',
  hex: 'answer.hex',
} as const;

const colors: readonly Choice[] = [
  ['none', 'Default'],
  ['#1a7f37', 'Green'],
  ['#c62828', 'Red'],
  ['#b26a00', 'Amber'],
  ['#1264a3', 'Blue'],
  ['other', 'Other…'],
];

export interface AnswerDraft {
  readonly text: string;
  readonly kind: Answer['kind'];
  readonly title: string;
  readonly color: string;
  readonly hex: string;
}

export function answerDraft(answer: Answer | undefined): AnswerDraft {
  const { text = '', kind = 'plain', title = '', color = '' } = answer ?? {};
  const named = colors.some(([value]) => value === color.toLowerCase());
  return { text, kind, title, color: color === '' ? 'none' : named ? color.toLowerCase() : 'other', hex: color };
}

export function answerEntered(entered: FormState): AnswerDraft {
  return {
    text: entered.text(answerParts.text),
    kind: entered.choice(answerParts.kind) === 'page' ? 'page' : 'plain',
    title: entered.text(answerParts.title),
    color: entered.choice(answerParts.color) ?? 'none',
    hex: entered.text(answerParts.hex),
  };
}

/** `answer` undefined: the default text. */
export function readAnswer(entered: FormState): { readonly errors: Errors } | { readonly answer: Answer | undefined } {
  const { text, kind, title, color, hex } = answerEntered(entered);
  const chosen = color === 'other' ? hex.trim() : color === 'none' ? undefined : color;
  if (chosen !== undefined && !/^#[0-9a-fA-F]{6}$/.test(chosen)) {
    return { errors: { [answerParts.hex]: 'Enter a color like #1a7f37.' } };
  }
  const plainly = text === '' && title === '' && chosen === undefined;
  return {
    answer: plainly
      ? undefined
      : {
          text,
          kind,
          ...(title === '' ? {} : { title }),
          ...(chosen === undefined ? {} : { color: chosen }),
        },
  };
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

export function answerView(
  finding: ResultCode,
  draft: AnswerDraft,
  options: { readonly metadata: string; readonly example: boolean; readonly service: string },
): ModalView {
  const usual = defaultAnswer(finding);
  const blocks: Block[] = [
    paragraph([bold(resultLabels[finding])], 'Leave the text blank to show the default text.'),
    textInput(
      {
        name: answerParts.text,
        label: 'Text',
        hint: 'The placeholders listed below are replaced with their values.',
        optional: true,
      },
      draft.text,
      { multiline: true, placeholder: usual },
    ),
    ...(draft.text.length > longestText
      ? warning('The current text is too long to edit here. Saving replaces it with what you enter.')
      : []),
    placesBlock,
    radioInput(
      { name: answerParts.kind, label: 'Format' },
      [
        ['plain', 'Plain text'],
        ['page', 'Web page', 'The text is HTML; inserted values are escaped'],
      ],
      draft.kind,
    ),
    textInput({ name: answerParts.title, label: 'Heading', optional: true }, draft.title, { max: 60 }),
    selectInput({ name: answerParts.color, label: 'Color', rerenders: true }, colors, draft.color),
    ...(draft.color === 'other'
      ? [textInput({ name: answerParts.hex, label: 'Color code' }, draft.hex, { max: 7, placeholder: '#1a7f37' })]
      : []),
    ...(options.example ? exampleBlocks(finding, draft, options.service) : []),
    actions([button('Show example', settingActions.again)]),
  ];
  return modalView('Response', blocks, {
    callback_id: settingCallbacks.answer,
    submit: 'Save',
    private_metadata: options.metadata,
  });
}

const placesBlock: Block = {
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: templatePlaceholders.map((place) => ({
        type: 'rich_text_section',
        elements: [code(`{${place}}`), textElement(` ${placeholderDescriptions[place]}`)],
      })),
    },
  ],
};

function exampleBlocks(finding: ResultCode, draft: AnswerDraft, service: string): Block[] {
  const text = draft.text === '' ? defaultAnswer(finding) : sampleAnswer(draft, service);
  return [
    paragraph(
      [bold('Example')],
      [
        ...(draft.title === '' ? [] : [bold(draft.title), textElement('\n')]),
        textElement(text === '' ? '(blank)' : cut(text, 1_000)),
      ],
    ),
  ];
}
