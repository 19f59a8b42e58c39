/** When a device asks which question: before a scan is sent, after it, or only for a valid or an invalid one. */
import type { Condition, Service } from '../operations/service-row.js';
import type { Sql } from '../store/sqlite.js';
import type { ReplyQuestion } from './reply.js';

export function isEarly(condition: Condition): boolean {
  return condition === 'pre_submit' || condition === 'shared_submit';
}

/** The questions to ask after the result: the service's own, and those in the URL's answer. */
export function dueQuestions(
  sql: Sql,
  service: Service,
  status: number,
  replyQuestions: readonly ReplyQuestion[],
): ReplyQuestion[] {
  const serviceQuestions = service.questions.filter(
    ({ condition }) =>
      condition === 'post_submit' ||
      (condition === 'valid_scan' && status === 1) ||
      (condition === 'invalid_scan' && status === 0),
  );
  return [
    ...serviceQuestions.map((question) => ({
      ...question,
      id: String(question.id),
      options: optionsOf(sql, question.id),
    })),
    ...replyQuestions,
  ];
}

export function optionsOf(sql: Sql, questionId: number): string[] {
  return sql
    .all<{ text: string }>('SELECT text FROM answers WHERE question_id = ? ORDER BY id', questionId)
    .map(({ text }) => text);
}
