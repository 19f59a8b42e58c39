/** The condition on the text of an answer (to one question, or to any): equal to, containing, above or below a text. */
import { z } from 'zod';
import { answerSeparator } from '../../scans/received/received-scan-rows.js';
import { conditionKind } from './condition.js';
import { comparisons, comparisonTest, foldedByDefault } from './parts/compare.js';

export const answer = conditionKind({
  schema: z.object({
    kind: z.literal('answer'),
    /** The id of the question; undefined: any question. */
    questionId: z.string().optional(),
    how: z.enum(comparisons),
    to: z.string(),
    exact: foldedByDefault,
  }),
  about: 'one_scan',
  facts: 'answers',
  refersTo: () => 'question',
  predicate(condition) {
    const fits = comparisonTest(condition);
    const isAsked = (id: string) => condition.questionId === undefined || condition.questionId === id;
    return ({ scan }) =>
      scan.answers.some(({ questionId, answer }) => isAsked(questionId) && answer.split(answerSeparator).some(fits));
  },
});
