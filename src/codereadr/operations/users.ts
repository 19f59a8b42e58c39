/** Declarations of the section `users`. */
import type { User } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy } from './common.js';
import { operation } from './operation.js';
import { attribute, childrenNamed, ids, newId, optionalText, readNothing, text } from './read.js';

const username = {
  type: 'text',
  description: 'The name the user logs in with. If it is an email address, the user gets an invitation.',
  errors: ['320', '330', '340'],
} as const;

const deviceLimit = {
  type: 'integer',
  min: 0,
  label: 'Device limit',
  description: 'The number of devices the user can log in on per billing period.',
} as const;

function users(root: Element): readonly User[] {
  return childrenNamed(root, 'user').map((user) => {
    const limit = optionalText(user, 'limit');
    const created = optionalText(user, 'created');
    return {
      id: attribute(user, 'id'),
      username: text(user, 'username'),
      serviceIds: ids(user, 'service'),
      ...(limit !== undefined && { limit }),
      ...(created !== undefined && { created }),
    };
  });
}

export const retrieve = operation('users', 'retrieve', {
  title: 'List users',
  effect: 'read',
  input: { user_id: { ...filterBy('user', 'The users to list. Leave blank for all.'), errors: ['201'] } },
  output: (root) => ({ users: users(root) }),
});

export const create = operation('users', 'create', {
  title: 'Create a user',
  success: 'Created the user {username}',
  effect: 'write',
  input: {
    username: { ...username, required: true, errors: [...username.errors, '342'] },
    password: {
      type: 'text',
      secret: true,
      requiredUnlessEmail: { param: 'username', code: '341' },
      description: 'The password. Not needed if the username is an email address.',
      errors: ['341'],
    },
    limit: deviceLimit,
  },
  output: newId,
  errors: ['310'],
});

export const update = operation('users', 'update', {
  title: 'Edit a user',
  success: 'Updated {user_id}',
  effect: 'write',
  input: {
    user_id: {
      type: 'id',
      of: 'user',
      required: true,
      description: 'The user to edit.',
      errors: ['132', '201', '300'],
    },
    username: { ...username, description: 'The new username.' },
    password: { type: 'text', secret: true, description: 'The new password.' },
    limit: deviceLimit,
  },
  output: readNothing,
  errors: ['310', '343'],
  notes: 'What is left out keeps its value. The account owner’s own user cannot be changed here (343).',
});

const remove = operation('users', 'delete', {
  title: 'Delete users',
  success: 'Deleted {user_id}',
  effect: 'delete',
  input: {
    user_id: {
      type: 'ids',
      of: 'user',
      all: true,
      required: true,
      description: 'The users to delete.',
      errors: ['132', '201', '300'],
    },
  },
  output: readNothing,
  errors: ['343'],
  notes: 'The service accepts the word all. Forms never offer it.',
});

export { remove as delete };

export const validate = operation('users', 'validate', {
  title: 'Check a login',
  effect: 'read',
  input: {
    username: { type: 'text', required: true, description: 'The name the user logs in with.', errors: ['342'] },
    password: {
      type: 'text',
      required: true,
      secret: true,
      description: 'The password to check. It is not stored.',
      errors: ['341', '201'],
    },
  },
  output: (root) => ({ users: users(root) }),
  errors: ['310', '340'],
  meanings: { '201': { title: 'The username or password is wrong', todo: 'Check both and try again.' } },
  notes: 'Answers the user as retrieve does. The code for a wrong password is undocumented: shown as received.',
});
