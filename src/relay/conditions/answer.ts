/** The condition that an answer to a question, or to any, equals or contains a text. */
import { z } from 'zod';
import { answerSeparator } from '../../scans/received/table.js';
import { conditionKind } from './condition.js';
import { comparison, comparisons, foldedByDefault } from './parts/compare.js';

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
    const fits = comparison(condition);
    const isAsked = (id: string) => condition.questionId === undefined || condition.questionId === id;
    return ({ scan }) =>
      scan.answers.some(({ questionId, answer }) => isAsked(questionId) && answer.split(answerSeparator).some(fits));
  },
});
