/**
 * Owns the windows of what the device hears: the answers for each finding, and the questions asked on the spot. A list of what
 * there is, and a form for one of each. Pure.
 */
import {
  type Answer,
  type Finding,
  type RelaySettings,
  sampleAnswer,
  usualAnswer,
  variablePlaces,
} from '../../relay/index.js';
import { actions, type Block, button, cut, divider, type ModalView, modal, plain, section } from '../blocks/kit.js';
import { bold, code, settled, textElement } from '../blocks/text.js';
import type { Entered, Errors } from './entered.js';
import { settingActions, settingCallbacks } from './ids.js';
import {
  type Choice,
  heading,
  longestText,
  radioPart,
  saying,
  selectPart,
  severalPart,
  textPart,
  warning,
} from './inputs.js';
import { findingWords, possibleFindings } from './words.js';

type Question = RelaySettings['questions'][number];

export const mostQuestions = 10;

export interface AnswersOptions {
  readonly notes: string;
  readonly answerValue: (finding: Finding) => string;
  readonly done?: string | undefined;
  readonly trouble?: string | undefined;
}

export function answersView(settings: RelaySettings, options: AnswersOptions): ModalView {
  const own = Object.keys(settings.answers) as Finding[];
  const shown = [...new Set([...possibleFindings(settings), ...own])];
  const blocks: Block[] = [
    ...(options.done ? [saying(`✅ ${options.done}`)] : []),
    ...warning(options.trouble),
    saying(
      'What the person with the scanner reads. Where a service shows its own answer (receiver only), these are not shown.',
    ),
    ...shown.map((finding) => answerSection(finding, settings.answers[finding], options)),
    divider,
    heading('Questions'),
    saying(
      settings.questions.length === 0
        ? 'None. A question is asked on the device right after the scan; its answer completes the scan.'
        : 'Asked on the device right after the scan; an answer completes it.',
    ),
    ...settings.questions.map(questionSection),
    ...(settings.questions.length < mostQuestions
      ? [actions([button('Add a question', settingActions.questionAdd)])]
      : []),
  ];
  return modal('Answers', blocks, {
    callback_id: settingCallbacks.answers,
    close: 'Back',
    private_metadata: options.notes,
  });
}

function answerSection(finding: Finding, answer: Answer | undefined, { answerValue }: AnswersOptions): Block {
  const said = answer?.text || usualAnswer(finding);
  const more = [
    ...(answer?.kind === 'page' ? ['a page'] : []),
    ...(answer?.title ? [`heading “${answer.title}”`] : []),
    ...(answer?.color ? [answer.color] : []),
  ];
  return section(`*${findingWords[finding]}*`, {
    fields: [plain(cut(settled(`${said}${more.length > 0 ? ` (${more.join(', ')})` : ''}`), 500))],
    accessory: button('Change', settingActions.answer, {
      value: answerValue(finding),
      accessibility_label: `Change the answer for ${findingWords[finding]}`,
    }),
  });
}

const types: readonly Choice[] = [
  ['manual', 'Any text'],
  ['manualnumeric', 'A number'],
  ['option', 'One of a few answers'],
  ['dropdown', 'One of a list of answers'],
  ['checkbox', 'Any of a few answers'],
];

function questionSection(question: Question): Block {
  const type = types.find(([value]) => value === question.type)?.[1] ?? question.type;
  const more = [
    type,
    ...(question.answers.length > 0 ? [question.answers.join(' / ')] : []),
    ...(question.when.length > 0 ? [`only: ${question.when.map((each) => findingWords[each]).join(', ')}`] : []),
  ];
  return {
    type: 'section',
    text: plain(cut(settled(question.text), 500)),
    fields: [plain(cut(settled(more.join(' · ')), 500))],
    accessory: {
      type: 'overflow',
      action_id: settingActions.questionMenu,
      options: [
        { text: plain('Change'), value: `change:${question.id}` },
        { text: plain('Remove'), value: `remove:${question.id}` },
      ],
    },
  };
}

export const answerParts = {
  text: 'answer.text',
  kind: 'answer.kind',
  title: 'answer.title',
  color: 'answer.color',
  hex: 'answer.hex',
} as const;

const colors: readonly Choice[] = [
  ['none', 'The usual one'],
  ['#1a7f37', 'Green'],
  ['#c62828', 'Red'],
  ['#b26a00', 'Amber'],
  ['#1264a3', 'Blue'],
  ['other', 'Another one…'],
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

export function answerEntered(entered: Entered): AnswerDraft {
  return {
    text: entered.text(answerParts.text),
    kind: entered.choice(answerParts.kind) === 'page' ? 'page' : 'plain',
    title: entered.text(answerParts.title),
    color: entered.choice(answerParts.color) ?? 'none',
    hex: entered.text(answerParts.hex),
  };
}

/** `answer` undefined: the usual words. */
export function readAnswer(entered: Entered): { readonly errors: Errors } | { readonly answer: Answer | undefined } {
  const { text, kind, title, color, hex } = answerEntered(entered);
  const chosen = color === 'other' ? hex.trim() : color === 'none' ? undefined : color;
  if (chosen !== undefined && !/^#[0-9a-fA-F]{6}$/.test(chosen)) {
    return { errors: { [answerParts.hex]: 'Enter a colour like #1a7f37.' } };
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

const placeWords: Readonly<Record<(typeof variablePlaces)[number], string>> = {
  value: 'the barcode',
  response: 'what the database or the account answers',
  user: 'who scanned',
  device: 'with which device',
  service: 'with which service',
  count: 'how often the barcode came, this time included',
  time: 'the time; of a duplicate, when it came first',
  database: 'the database that knows it',
};

export function answerView(
  finding: Finding,
  draft: AnswerDraft,
  options: { readonly notes: string; readonly example: boolean; readonly service: string },
): ModalView {
  const usual = usualAnswer(finding);
  const blocks: Block[] = [
    saying([bold(findingWords[finding])], 'Empty: the device shows the usual words.'),
    textPart(
      {
        name: answerParts.text,
        label: 'Text',
        hint: 'Words in braces, as listed below, are replaced by what they stand for.',
        optional: true,
      },
      draft.text,
      { multiline: true, placeholder: usual },
    ),
    ...(draft.text.length > longestText
      ? warning('The text there is now is longer than a form can hold. It goes when you save.')
      : []),
    placesBlock,
    radioPart(
      { name: answerParts.kind, label: 'Shown as' },
      [
        ['plain', 'Plain text'],
        ['page', 'A page', 'The text is HTML; values put into it are made safe'],
      ],
      draft.kind,
    ),
    textPart({ name: answerParts.title, label: 'Heading on the device', optional: true }, draft.title, { max: 60 }),
    selectPart({ name: answerParts.color, label: 'Its colour', redraws: true }, colors, draft.color),
    ...(draft.color === 'other'
      ? [textPart({ name: answerParts.hex, label: 'Colour' }, draft.hex, { max: 7, placeholder: '#1a7f37' })]
      : []),
    ...(options.example ? exampleBlocks(finding, draft, options.service) : []),
    actions([button('Show an example', settingActions.again)]),
  ];
  return modal('Answer', blocks, {
    callback_id: settingCallbacks.answer,
    submit: 'Save',
    private_metadata: options.notes,
  });
}

const placesBlock: Block = {
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: variablePlaces.map((place) => ({
        type: 'rich_text_section',
        elements: [code(`{${place}}`), textElement(` ${placeWords[place]}`)],
      })),
    },
  ],
};

function exampleBlocks(finding: Finding, draft: AnswerDraft, service: string): Block[] {
  const text = draft.text === '' ? usualAnswer(finding) : sampleAnswer(draft, service);
  return [
    saying(
      [bold('For example')],
      [
        ...(draft.title === '' ? [] : [bold(draft.title), textElement('\n')]),
        textElement(text === '' ? '(nothing)' : cut(text, 1_000)),
      ],
    ),
  ];
}

export const questionParts = {
  text: 'question.text',
  type: 'question.type',
  answers: 'question.answers',
  when: 'question.when',
} as const;

export interface QuestionDraft {
  readonly text: string;
  readonly type: Question['type'];
  readonly answers: string;
  readonly when: readonly string[];
}

export function questionDraft(question: Question | undefined): QuestionDraft {
  const { text = '', type = 'manual', answers = [], when = [] } = question ?? {};
  return { text, type, answers: answers.join('\n'), when };
}

export function questionEntered(entered: Entered): QuestionDraft {
  return {
    text: entered.text(questionParts.text),
    type: (entered.choice(questionParts.type) ?? 'manual') as Question['type'],
    answers: entered.text(questionParts.answers),
    when: entered.choices(questionParts.when),
  };
}

function hasAnswers(type: Question['type']): boolean {
  return type !== 'manual' && type !== 'manualnumeric';
}

export function readQuestion(
  entered: Entered,
): { readonly errors: Errors } | { readonly question: Omit<Question, 'id'> } {
  const draft = questionEntered(entered);
  const errors: Errors = {};
  const answers = hasAnswers(draft.type)
    ? [...new Set(draft.answers.split(/\r\n|\n|\r/).filter((line) => line.trim() !== ''))]
    : [];
  if (draft.text.trim() === '') {
    errors[questionParts.text] = 'Enter the question.';
  }
  if (hasAnswers(draft.type) && answers.length < 2) {
    errors[questionParts.answers] = 'Enter two answers at least, one a line.';
  } else if (answers.length > 50 || answers.some((answer) => answer.length > 200)) {
    errors[questionParts.answers] = 'At most 50 answers of at most 200 characters.';
  }
  return Object.keys(errors).length > 0
    ? { errors }
    : { question: { text: draft.text, type: draft.type, answers, when: draft.when as Finding[] } };
}

export function questionView(
  draft: QuestionDraft,
  settings: RelaySettings,
  options: { readonly notes: string; readonly changing: boolean },
): ModalView {
  const findings = [...new Set([...possibleFindings(settings), ...(draft.when as Finding[])])];
  const blocks: Block[] = [
    textPart({ name: questionParts.text, label: 'Question' }, draft.text, { max: 500, placeholder: 'How many bags?' }),
    selectPart({ name: questionParts.type, label: 'The answer is', redraws: true }, types, draft.type),
    ...(hasAnswers(draft.type)
      ? [
          textPart({ name: questionParts.answers, label: 'Answers', hint: 'One a line.' }, draft.answers, {
            multiline: true,
          }),
        ]
      : []),
    severalPart(
      { name: questionParts.when, label: 'Asked when a scan is', hint: 'Nothing chosen: always.', optional: true },
      findings.map((finding): Choice => [finding, findingWords[finding]]),
      draft.when,
    ),
  ];
  return modal(options.changing ? 'Change a question' : 'New question', blocks, {
    callback_id: settingCallbacks.question,
    submit: 'Save',
    private_metadata: options.notes,
  });
}

/** Of no use to the account's own questions, whose ids are small: an answer never goes to the wrong one. */
const firstQuestionId = 900_000_001;

export function freeQuestionId(questions: readonly Question[]): string {
  const taken = new Set(questions.map(({ id }) => id));
  for (let id = firstQuestionId; ; id++) {
    if (!taken.has(String(id))) {
      return String(id);
    }
  }
}
