/** The form for one question that a device asks at the scan. */
import { z } from 'zod';
import { questionSchema, type RelaySettings, type ResultCode } from '../../../../relay/index.js';
import { resultWords } from '../../../../scans/result-words.js';
import { possibleResultCodes } from '../../../channel-posts/describe/describe-settings.js';
import { boundsOf } from '../../../forms/bounds.js';
import { createForm, fieldsOf, type Kind, when } from '../../../forms/form.js';
import type { Choice } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import { FormProblem } from '../../../forms/settings-form.js';
import { inputActions } from '../../../inputs/kinds.js';
import { relayOrigin, relaySettingsForm } from '../settings-form.js';
import { mostQuestions, questionTypes, responsesModal } from './answers-view.js';

type Question = RelaySettings['questions'][number];

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

const form = formOf([]);
const metadata = z.object({ ...relayOrigin, id: z.string().optional() });

export const question = relaySettingsForm({
  id: 'relay.question',
  title: ({ id }) => (id === undefined ? 'New question' : 'Edit question'),
  audit: 'relay/answers',
  metadata,
  list: (context, { relay }, notice) => responsesModal(context, relay, notice),
  form: () => form,
  source: ({ settings }, { id }) => questionIn(settings, id) ?? {},
  part: (settings, { id }) => questionIn(settings, id),
  draw: (draft, { subject: { settings } }) =>
    formOf([...new Set([...possibleResultCodes(settings), ...draft.when])]).draw(
      draft,
      ...(['text', 'type', 'answers', 'when'] as const),
    ),
  check({ answers: offered }, problem) {
    if (offered && offered.length < 2) {
      problem('answers', 'Enter at least two answers, one per line.');
    } else if (offered && (offered.length > mostAnswers || offered.some((answer) => answer.length > longestAnswer))) {
      problem('answers', `Enter at most ${mostAnswers} answers of up to ${longestAnswer} characters each.`);
    }
  },
  change(settings, values, { id }) {
    const { questions } = settings;
    const at = questions.findIndex((each) => each.id === id);
    if (at < 0 && questions.length >= mostQuestions) {
      throw new FormProblem(`Not saved: a relay has at most ${mostQuestions} questions.`);
    }
    const blank: Question = { id: id ?? freeQuestionId(questions), text: '', type: 'manual', answers: [], when: [] };
    const stored = form.write(blank, values);
    return { ...settings, questions: at < 0 ? [...questions, stored] : questions.with(at, stored) };
  },
});

function questionIn({ questions }: RelaySettings, id: string | undefined): Question | undefined {
  return questions.find((each) => each.id === id);
}

/** The first id of a relay's own question, far above the account's ids, so that no answer goes to another question. */
const firstQuestionId = 900_000_001;

function freeQuestionId(questions: readonly Question[]): string {
  const taken = new Set(questions.map(({ id }) => id));
  for (let id = firstQuestionId; ; id++) {
    if (!taken.has(String(id))) {
      return String(id);
    }
  }
}
