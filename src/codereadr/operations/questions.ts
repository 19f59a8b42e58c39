/** Declarations of the section `questions`. */
import type { Question } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy } from './common.js';
import { operation } from './operation.js';
import { attribute, childrenNamed, count, newId, readNothing, text } from './read.js';

function question(element: Element): Question {
  return {
    id: attribute(element, 'id'),
    text: text(element, 'text'),
    type: text(element, 'type'),
    answers: childrenNamed(element, 'answer').map((answer) => ({ id: attribute(answer, 'id'), text: answer.text })),
  };
}

const noQuestion = ['133', '202', '262'] as const;
const someQuestions = { type: 'ids', of: 'question', all: true, required: true } as const;

export const retrieve = operation('questions', 'retrieve', {
  title: 'List questions',
  effect: 'read',
  input: {
    question_id: { ...filterBy('question', 'The questions to list. Leave blank for all.'), errors: noQuestion },
  },
  output: (root) => {
    const questions = count(root, 'count');
    return {
      ...(questions !== undefined && { count: questions }),
      questions: childrenNamed(root, 'question').map(question),
    };
  },
});

export const create = operation('questions', 'create', {
  title: 'Create a question',
  success: 'Created the question {question_text}',
  effect: 'write',
  input: {
    question_text: {
      type: 'text',
      required: true,
      label: 'Question',
      description: 'The question that devices ask.',
      errors: ['269'],
    },
    question_type: {
      type: 'enum',
      default: 'manual',
      options: [
        ['manual', 'Typed text'],
        ['manualnumeric', 'Typed number'],
        ['option', 'Single choice'],
        ['checkbox', 'Checkboxes'],
        ['dropdown', 'Dropdown'],
        ['dropboximage', 'Image'],
        ['gps', 'Location'],
        ['webcollect', 'Web page'],
      ],
      label: 'Answer type',
      description:
        'How people answer. Single choice, checkboxes, and dropdown need at least two answers, a web page its source.',
    },
  },
  output: newId,
});

const remove = operation('questions', 'delete', {
  title: 'Delete questions',
  success: 'Deleted {question_id}',
  effect: 'delete',
  input: {
    question_id: { ...someQuestions, description: 'The questions to delete.', errors: [...noQuestion, '261'] },
  },
  output: readNothing,
  notes: 'The service accepts the word all. Forms never offer it.',
});

export { remove as delete };

export const addanswer = operation('questions', 'addanswer', {
  title: 'Add an answer',
  success: 'Added the answer {answer_text} to {question_id}',
  effect: 'write',
  input: {
    question_id: { ...someQuestions, description: 'The questions to add the answer to.', errors: noQuestion },
    answer_text: {
      type: 'text',
      multiline: true,
      required: true,
      label: 'Answer',
      description: 'An answer that people can choose. For a web page: <curl>URL</curl> or the HTML source of the page.',
      errors: ['265', '1036'],
    },
  },
  output: newId,
});

export const deleteanswer = operation('questions', 'deleteanswer', {
  title: 'Delete answers',
  success: 'Deleted {answer_id}',
  effect: 'delete',
  input: {
    answer_id: {
      type: 'ids',
      of: 'answer',
      required: true,
      description: 'The answers to delete.',
      errors: ['134', '203', '206', '266'],
    },
  },
  output: readNothing,
  notes: 'A question to choose from keeps two answers at least (206); a web page and a picture are no choices.',
});
