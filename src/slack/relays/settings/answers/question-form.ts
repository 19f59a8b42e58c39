/** The form for one question that a device asks at the scan. Pure. */
import { z } from 'zod';
import { questionSchema, type RelaySettings, type ResultCode } from '../../../../relay/index.js';
import { resultWords } from '../../../../scans/result-words.js';
import { type ModalView, modalView } from '../../../block-kit/elements.js';
import { encode } from '../../../bolt/metadata.js';
import { possibleResultCodes } from '../../../channel-posts/describe/describe-settings.js';
import { inputActions } from '../../../conditions/inputs/kinds.js';
import { boundsOf } from '../../../forms/bounds.js';
import { createForm, type DraftOf, fieldsOf, type Kind, when } from '../../../forms/form.js';
import type { Choice } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { relayOrigin } from '../etag.js';

type Question = RelaySettings['questions'][number];

export const questionTypes: readonly Choice<Question['type']>[] = [
  ['manual', 'Text'],
  ['manualnumeric', 'Number'],
  ['option', 'Single choice'],
  ['dropdown', 'Single choice from a menu'],
  ['checkbox', 'Multiple choice'],
];

const { text, answers } = questionSchema.shape;
const { max: mostAnswers = 0 } = boundsOf(answers);
const { max: longestAnswer = 0 } = boundsOf(answers.unwrap().element);

/** The maker of the form's fields, from the stored question; `{}` for a new question. */
const field = fieldsOf<Partial<Question>>();

const lines: Kind<string, readonly string[]> = {
  ...kinds.text({ multiline: true }),
  content: (values) => values.join('\n'),
  read: (state, name) => [
    ...new Set(
      state
        .text(name)
        .split(/\r\n|\n|\r/)
        .filter((line) => line.trim() !== ''),
    ),
  ],
};

/** The question's form. `results`: the results offered in *Ask when the result is*. */
const formOf = (results: readonly ResultCode[]) =>
  createForm('question', inputActions, {
    text: field(kinds.text({ ...boundsOf(text), placeholder: 'How many bags?', missing: 'Enter a question.' }), {
      label: 'Question',
      path: 'text',
    }),
    type: field(kinds.select(questionTypes), {
      label: 'Answer type',
      rerenders: true,
      path: 'type',
      initial: 'manual',
    }),
    answers: field(lines, {
      label: 'Answers',
      hint: 'One per line.',
      shown: when('type', 'option', 'dropdown', 'checkbox'),
      path: 'answers',
    }),
    when: field(kinds.multiSelect(results.map((code): Choice<ResultCode> => [code, resultWords[code]])), {
      label: 'Ask when the result is',
      hint: 'Leave blank to always ask.',
      optional: true,
      path: 'when',
    }),
  });

export const questionForm = formOf([]);
export type QuestionDraft = DraftOf<typeof questionForm.fields>;

export function readQuestion(
  state: FormState,
): { readonly errors: Errors } | { readonly question: Omit<Question, 'id'> } {
  const errors: Errors = {};
  const values = questionForm.read(state, errors);
  const { answers: offered } = values;
  if (offered && offered.length < 2) {
    errors[questionForm.nameOf('answers')] = 'Enter at least two answers, one per line.';
  } else if (offered && (offered.length > mostAnswers || offered.some((answer) => answer.length > longestAnswer))) {
    errors[questionForm.nameOf('answers')] =
      `Enter at most ${mostAnswers} answers of up to ${longestAnswer} characters each.`;
  }
  return Object.keys(errors).length > 0
    ? { errors }
    : { question: questionForm.write({ text: '', type: 'manual', answers: [], when: [] }, values) };
}

/** The form's metadata. `id`: the question's; none for a new one. */
export const questionMetadata = z.object({ ...relayOrigin, id: z.string().optional() });

export function questionView(
  draft: QuestionDraft,
  settings: RelaySettings,
  metadata: z.output<typeof questionMetadata>,
): ModalView {
  const { draw } = formOf([...new Set([...possibleResultCodes(settings), ...draft.when])]);
  return modalView(
    metadata.id === undefined ? 'New question' : 'Edit question',
    draw(draft, 'text', 'type', 'answers', 'when'),
    {
      callback_id: 'relay.question',
      submit: 'Save',
      private_metadata: encode(questionMetadata, metadata),
    },
  );
}

/** The first id of a relay's own question, far above the account's ids, so that no answer goes to another question. */
const firstQuestionId = 900_000_001;

export function freeQuestionId(questions: readonly Question[]): string {
  const taken = new Set(questions.map(({ id }) => id));
  for (let id = firstQuestionId; ; id++) {
    if (!taken.has(String(id))) {
      return String(id);
    }
  }
}
