/** The form for one question that a device asks at the scan. Pure. */
import type { RelaySettings, ResultCode } from '../../../../relay/index.js';
import { type Block, type ModalView, modalView } from '../../../block-kit/elements.js';
import { possibleResultCodes, resultLabels } from '../../../channel-posts/describe/describe-settings.js';
import type { Choice } from '../../../forms/inputs.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { settingCallbacks } from '../ids.js';
import { multiSelectInput, selectInput, textInput } from '../inputs.js';

type Question = RelaySettings['questions'][number];

export const questionTypes: readonly Choice[] = [
  ['manual', 'Text'],
  ['manualnumeric', 'Number'],
  ['option', 'Single choice'],
  ['dropdown', 'Single choice from a menu'],
  ['checkbox', 'Multiple choice'],
];

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

export function questionEntered(entered: FormState): QuestionDraft {
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
  entered: FormState,
): { readonly errors: Errors } | { readonly question: Omit<Question, 'id'> } {
  const draft = questionEntered(entered);
  const errors: Errors = {};
  const answers = hasAnswers(draft.type)
    ? [...new Set(draft.answers.split(/\r\n|\n|\r/).filter((line) => line.trim() !== ''))]
    : [];
  if (draft.text.trim() === '') {
    errors[questionParts.text] = 'Enter a question.';
  }
  if (hasAnswers(draft.type) && answers.length < 2) {
    errors[questionParts.answers] = 'Enter at least two answers, one per line.';
  } else if (answers.length > 50 || answers.some((answer) => answer.length > 200)) {
    errors[questionParts.answers] = 'Enter at most 50 answers of up to 200 characters each.';
  }
  return Object.keys(errors).length > 0
    ? { errors }
    : { question: { text: draft.text, type: draft.type, answers, when: draft.when as ResultCode[] } };
}

export function questionView(
  draft: QuestionDraft,
  settings: RelaySettings,
  options: { readonly metadata: string; readonly changing: boolean },
): ModalView {
  const findings = [...new Set([...possibleResultCodes(settings), ...(draft.when as ResultCode[])])];
  const blocks: Block[] = [
    textInput({ name: questionParts.text, label: 'Question' }, draft.text, { max: 500, placeholder: 'How many bags?' }),
    selectInput({ name: questionParts.type, label: 'Answer type', rerenders: true }, questionTypes, draft.type),
    ...(hasAnswers(draft.type)
      ? [
          textInput({ name: questionParts.answers, label: 'Answers', hint: 'One per line.' }, draft.answers, {
            multiline: true,
          }),
        ]
      : []),
    multiSelectInput(
      { name: questionParts.when, label: 'Ask when the result is', hint: 'Leave blank to always ask.', optional: true },
      findings.map((finding): Choice => [finding, resultLabels[finding]]),
      draft.when,
    ),
  ];
  return modalView(options.changing ? 'Edit question' : 'New question', blocks, {
    callback_id: settingCallbacks.question,
    submit: 'Save',
    private_metadata: options.metadata,
  });
}

/** Far above the account's own question ids, which are small, so that an answer never goes to the wrong one. */
const firstQuestionId = 900_000_001;

export function freeQuestionId(questions: readonly Question[]): string {
  const taken = new Set(questions.map(({ id }) => id));
  for (let id = firstQuestionId; ; id++) {
    if (!taken.has(String(id))) {
      return String(id);
    }
  }
}
