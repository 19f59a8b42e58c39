/** A service's questions: attaching them with a condition, detaching them. */
import { Refusal } from '../answer/refusal.js';
import { subjects, type Variables } from '../request/variables.js';
import { existingIds, namedIds } from './existing.js';
import type { Handler } from './operation.js';
import { isChoice } from './questions.js';

const conditions = ['shared_submit', 'pre_submit', 'post_submit', 'valid_scan', 'invalid_scan'] as const;

/** The condition in a call; the reference's default is the same for attaching and detaching. */
const conditionIn = (variables: Variables) => variables.choice('condition', conditions) ?? 'pre_submit';

/** Attaching a question again changes its condition. A choice of fewer than two answers is refused (206) *(guess)*. */
export const addQuestions: Handler = (call) => {
  const { account, variables, sql } = call;
  return sql.transaction(() => {
    const [services, questions] = [namedIds(call, 'service'), namedIds(call, 'question')];
    const condition = conditionIn(variables);
    const required = new Set(existingIds(sql, account, 'question', variables.ids('required', subjects.question) ?? []));
    for (const question of questions) {
      const { type, answers } = sql.get<{ type: string; answers: number }>(
        'SELECT type, (SELECT count(*) FROM answers WHERE question_id = questions.id) AS answers FROM questions WHERE id = ?',
        question,
      ) as { type: string; answers: number };
      if (isChoice(type) && answers < 2) throw new Refusal('206', `(question ${question})`);
      for (const service of services) {
        sql.run(
          `INSERT INTO service_questions (service_id, question_id, condition, required) VALUES (?, ?, ?, ?)
           ON CONFLICT (service_id, question_id)
           DO UPDATE SET condition = excluded.condition, required = excluded.required`,
          service,
          question,
          condition,
          Number(required.has(question)),
        );
      }
    }
    return [];
  });
};

export const removeQuestions: Handler = (call) =>
  call.sql.transaction(() => {
    const [services, questions] = [namedIds(call, 'service'), namedIds(call, 'question')];
    const where = 'service_id = ? AND question_id = ? AND condition = ?';
    for (const service of services) {
      for (const question of questions) {
        call.sql.run(`DELETE FROM service_questions WHERE ${where}`, service, question, conditionIn(call.variables));
      }
    }
    return [];
  });
