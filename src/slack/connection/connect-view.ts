/**
 * The forms to connect, replace and disconnect a scanning account, and the view of its connection. Pure. An API key is
 * never shown again: a form drawn again has an empty field.
 */
import { AccountError } from '../../codereadr/types.js';
import { plural } from '../../english.js';
import type { Connection } from '../../workspaces/types.js';
import { actions, type Block, button, context, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { bold, elementsOf, momentAfter, person, richText } from '../block-kit/text.js';
import { isExpected } from '../bolt/errors.js';
import { encode, originMetadata } from '../bolt/metadata.js';
import { type Problem, problemOf, referenceBlock } from '../bolt/problem/problem.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import type { ConnectionStatus } from './status.js';
import { statusBlocks } from './status-view.js';

interface Origin {
  readonly channel?: string | undefined;
}

export interface ConnectForm extends Origin {
  /** The connection that the new key would replace. */
  readonly replaces?: Connection | undefined;
  /** Why the last attempt failed, shown above the field. */
  readonly refused?: { readonly error: unknown; readonly reference: string } | undefined;
  readonly notice?: ViewNotice;
}

export const keyForm = createForm(
  (name) => name,
  { field: 'connect.key', rerender: 'connect.key' },
  {
    key: fieldsOf<undefined>()(
      kinds.secret({ max: 500, focus: true, placeholder: 'Paste your API key', missing: 'Enter the API key.' }),
      { label: 'API key', hint: 'Stored encrypted and never shown again, not even to you.' },
    ),
  },
);

/** The title of the forms for the key and for the databases chosen next. */
export const connectFormTitle = 'Connect account';

export function connectForm({ replaces, refused, notice = {}, channel }: ConnectForm): ModalView {
  const blocks: Block[] = [
    ...noticeBlocks(notice),
    replaces
      ? richText(
          [bold('This replaces the connected account')],
          [
            'Connected by ',
            person(replaces.connectedBy),
            momentAfter(', ', replaces.connectedAt, '{date_long_pretty} at {time}'),
            '. Its API key is deleted once the new one works.',
          ],
        )
      : richText([
          'Scandesk connects to your scanning account with an ',
          bold('API key'),
          '. Find it on the account’s API Keys page. Free plans don’t include one.',
        ]),
    ...(refused ? [refusedBlock(keyProblem(refused.error))] : []),
    ...(refused && !isExpected(refused.error) ? [referenceBlock(refused.reference)] : []),
    ...keyForm.draw(keyForm.draft(), 'key'),
  ];
  return modalView(replaces ? 'Replace API key' : connectFormTitle, blocks, {
    callback_id: 'connect',
    submit: replaces ? 'Replace' : 'Connect',
    private_metadata: encode(originMetadata, { channel }),
  });
}

/** The explanation of a refused key. The usual text sends people to this form, in which the key was just entered. */
function keyProblem(error: unknown): Problem {
  if (!(error instanceof AccountError) || error.code !== 'account.key_refused') {
    return problemOf(error);
  }
  return error.apiCode === '10'
    ? {
        what: 'This key was recognized but has no API access.',
        todo: 'Check that your plan includes the API.',
      }
    : {
        what: 'The account doesn’t recognize this API key.',
        todo: 'Copy it again from the account’s API Keys page.',
      };
}

function refusedBlock(problem: Problem): Block {
  return richText(
    [{ type: 'emoji', name: 'warning' }, ' ', bold(problem.what)],
    [...elementsOf(problem.todo), ' The key was not saved.'],
  );
}

/** The connection's status with its buttons, for those who may change it. `fresh`: it has just been connected. */
export function connectionView(
  facts: ConnectionStatus,
  { channel, notice = {}, fresh = false }: Origin & { readonly notice?: ViewNotice; readonly fresh?: boolean },
): ModalView {
  return modalView(
    'Connection',
    [
      ...noticeBlocks(notice),
      ...statusBlocks(facts),
      actions(
        [
          ...(fresh ? [button('Look one up', 'lookup.form', { style: 'primary' })] : []),
          button('Choose databases', 'connect.databases'),
          button('Replace API key', 'connect.replace'),
          button('Disconnect', 'disconnect.open', { style: 'danger' }),
          button('Erase data', 'erase.open', { style: 'danger' }),
        ],
        'connection.buttons',
      ),
    ],
    { callback_id: 'connection', private_metadata: encode(originMetadata, { channel }) },
  );
}

/** The form that names the data to delete, and the data that stays. */
export function disconnectForm(connection: Connection, relays: number, { channel }: Origin): ModalView {
  return modalView(
    'Disconnect account',
    [
      richText(
        [bold('This deletes the API key')],
        [
          'added by ',
          person(connection.connectedBy),
          momentAfter(', ', connection.connectedAt, '{date_long_pretty} at {time}'),
          '.',
        ],
      ),
      richText(
        'It also deletes your list of databases to search, and the copy of their values and scans. Until an account is connected again, nobody here can look up barcodes or search scans.',
      ),
      context(
        relays === 0
          ? 'The scanning account itself doesn’t change.'
          : `The scanning account itself doesn’t change. ${plural(relays, 'The relay keeps', `The ${relays} relays keep`)} receiving and posting scans.`,
      ),
    ],
    {
      callback_id: 'disconnect',
      submit: 'Disconnect',
      close: 'Cancel',
      private_metadata: encode(originMetadata, { channel }),
    },
  );
}
