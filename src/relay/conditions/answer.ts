/** The condition on the text of an answer (to one question, or to any): equal to, containing, above or below a text. */
import { z } from 'zod';
import { settled } from '../../codereadr/xml/hidden-characters.js';
import { cut } from '../../english.js';
import { answerSeparator } from '../../scans/received/received-scan-rows.js';
import { condition } from './condition.js';
import { comparisonLabels, comparisonTest } from './parts/compare.js';
import { comparedText, operand } from './parts/comparison.js';
import { field, oneOf } from './parts/field.js';

export const answer = condition('answer', {
  about: 'one_scan',
  facts: 'answers',
  heading: 'Answers and properties',
  menu: ['Answer to a question'],
  parts: {
    /** The id of the question; undefined: any question. */
    questionId: field(z.string().optional(), {
      name: 'question',
      as: 'question',
      label: 'Question',
      hint: 'Leave blank for any question.',
      optional: true,
    }),
    how: oneOf(comparisonLabels, { name: 'answer.how', label: 'Answer', initial: 'equals' }, 'comparison'),
    ...operand,
  },
  phrase({ questionId, how, to }, nameOf) {
    const text = questionId === undefined ? undefined : nameOf('question', questionId);
    const question = text === undefined ? `question ${questionId}` : `“${cut(settled(text), 100)}”`;
    const asked = questionId === undefined ? '' : ` to ${question}`;
    return how === 'equals'
      ? `has the answer ${settled(to)}${asked}`
      : `has an answer${asked} that ${comparedText(how, to)}`;
  },
  refersTo: () => 'question',
  predicate(condition) {
    const fits = comparisonTest(condition);
    const isAsked = (id: string) => condition.questionId === undefined || condition.questionId === id;
    return ({ scan }) =>
      scan.answers.some(({ questionId, answer }) => isAsked(questionId) && answer.split(answerSeparator).some(fits));
  },
});
