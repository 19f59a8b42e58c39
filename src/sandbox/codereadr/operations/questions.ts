/** The section `questions`: the questions that devices ask, and their answers. */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { subjects } from '../request/variables.js';
import { fold, type Sql } from '../store/sqlite.js';
import { element } from '../xml/write.js';
import { askedIds, existingIds, namedIds, rowsOf } from './existing.js';
import type { Handler, Section } from './operation.js';

const types = [
  'manual',
  'manualnumeric',
  'option',
  'checkbox',
  'dropdown',
  'dropboximage',
  'gps',
  'webcollect',
] as const;

/** Whether a question of this type has answers to choose from, at least two. */
export function isChoice(type: string): boolean {
  return ['option', 'checkbox', 'dropdown'].includes(type);
}

/** Whether a question of this type takes answers: those to choose from, or the URL or source of a web page. */
function takesAnswers(type: string): boolean {
  return isChoice(type) || type === 'webcollect';
}

interface Row {
  readonly id: number;
  readonly text: string;
  readonly type: string;
}

interface AnswerRow {
  readonly id: number;
  readonly question_id: number;
  readonly text: string;
}

const retrieve: Handler = (call) => {
  const { account, sql } = call;
  const rows = rowsOf<Row>(sql, account, 'question', askedIds(call, 'question'));
  return [
    element('count', rows.length),
    ...rows.map((row) =>
      element(
        'question',
        [
          element('text', row.text),
          element('type', row.type),
          ...answersOf(sql, row.id).map((answer) => element('answer', answer.text, { id: answer.id })),
        ],
        { id: row.id },
      ),
    ),
  ];
};

const create: Handler = ({ account, variables, sql }) => {
  const text = variables.required('question_text', '269');
  const type = variables.choice('question_type', types) ?? 'manual';
  const { id } = sql.run('INSERT INTO questions (account_id, text, type) VALUES (?, ?, ?)', account.id, text, type);
  return [element('id', id)];
};

/** A question that a service still asks is not deleted: remove it from the service first *(guess)*. */
const remove: Handler = (call) => {
  const { sql } = call;
  return sql.transaction(() => {
    for (const id of namedIds(call, 'question')) {
      const linked = sql.get('SELECT 1 FROM service_questions WHERE question_id = ?', id);
      if (linked) throw new Refusal('261', `Question ${id} is still asked by a service.`);
      sql.run('DELETE FROM questions WHERE id = ?', id);
    }
    return [];
  });
};

/** Adds an answer to questions. `all` means every question that accepts answers. Returns one id per new answer. */
const addAnswer: Handler = ({ account, variables, sql }) =>
  sql.transaction(() => {
    const questionIds = variables.someIds('question_id', subjects.question, { all: true });
    const text = variables.required('answer_text', '265');
    const ids = existingIds(sql, account, 'question', questionIds);
    return ids.flatMap((id) => {
      const type = sql.get<{ type: string }>('SELECT type FROM questions WHERE id = ?', id)?.type ?? '';
      if (!takesAnswers(type)) {
        if (questionIds === 'all') return [];
        throw new Refusal('265', `Question ${id} takes no answers.`);
      }
      if (answersOf(sql, id).some((answer) => fold(answer.text) === fold(text))) throw new Refusal('1036');
      return [element('id', sql.run('INSERT INTO answers (question_id, text) VALUES (?, ?)', id, text).id)];
    });
  });

const deleteAnswer: Handler = ({ account, variables, sql }) =>
  sql.transaction(() => {
    const asked = variables.someIds('answer_id', subjects.answer);
    const answers = findAnswers(sql, account, [...new Set(asked === 'all' ? [] : asked)]);
    for (const answer of answers) sql.run('DELETE FROM answers WHERE id = ?', answer.id);
    for (const question of new Set(answers.map((answer) => answer.question_id))) {
      const type = sql.get<{ type: string }>('SELECT type FROM questions WHERE id = ?', question)?.type ?? '';
      if (isChoice(type) && answersOf(sql, question).length < 2) throw new Refusal('206', `(question ${question})`);
    }
    return [];
  });

function findAnswers(sql: Sql, account: Account, ids: readonly number[]): AnswerRow[] {
  const found = sql.all<AnswerRow>(
    `SELECT answers.* FROM answers JOIN questions ON questions.id = question_id
     WHERE account_id = ? AND answers.id IN (SELECT value FROM json_each(?))`,
    account.id,
    JSON.stringify(ids),
  );
  if (found.length !== ids.length) throw new Refusal('203');
  return found;
}

function answersOf(sql: Sql, questionId: number): AnswerRow[] {
  return sql.all<AnswerRow>('SELECT * FROM answers WHERE question_id = ? ORDER BY id', questionId);
}

export const questions: Section = {
  retrieve,
  create,
  delete: remove,
  addanswer: addAnswer,
  deleteanswer: deleteAnswer,
};
