/** The condition that an answer, to one question or to any, is or contains a text, or is above or below a number. */
import { cut } from '../block-kit/elements.js';
import { settled } from '../block-kit/text.js';
import * as kinds from '../forms/kinds.js';
import { idOption } from '../operations/form/resources.js';
import { field, shownCondition, stored } from './condition.js';
import { comparedText, comparisonField, operandFields, readCompared, textComparisons } from './parts/comparison.js';

export const answer = shownCondition('answer', {
  heading: 'Answers and properties',
  choices: [['', 'Answer to a question']],
  phrase({ questionId, how, to }, nameOf) {
    const text = questionId === undefined ? undefined : nameOf('question', questionId);
    const question = text === undefined ? `question ${questionId}` : `“${cut(settled(text), 100)}”`;
    const asked = questionId === undefined ? '' : ` to ${question}`;
    return how === 'equals'
      ? `has the answer ${settled(to)}${asked}`
      : `has an answer${asked} that ${comparedText(how, to)}`;
  },
  fields: {
    question: field(kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question' }), {
      label: 'Question',
      hint: 'Leave blank for any question.',
      optional: true,
      from(source) {
        const id = stored(source, 'answer')?.questionId;
        return id === undefined ? undefined : (source.nameOf('question', id) ?? idOption('question', id));
      },
    }),
    'answer.how': comparisonField('Answer', textComparisons),
    ...operandFields,
  },
  read({ question, 'answer.how': how = 'equals', ...values }, entered) {
    const asked = question === undefined ? {} : { questionId: question };
    return { kind: 'answer', ...asked, how, ...readCompared(how, values, entered) };
  },
});
