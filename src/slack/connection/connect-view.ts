/**
 * The forms to connect, replace and disconnect a scanning account. Pure.
 * An API key is never shown again: a form drawn again has an empty field.
 */
import { AccountError } from '../../codereadr/types.js';
import type { Connection } from '../../workspaces/types.js';
import { actions, type Block, button, context, type ModalView, modalView } from '../block-kit/elements.js';
import { bold, momentAfter, person, richText, textElement } from '../block-kit/text.js';
import { isExpected } from '../bolt/errors.js';
import { actionIds, blockIds, callbackIds, originNotes } from '../bolt/ids.js';
import { type Problem, problemOf, referenceBlock } from '../bolt/problem/problem.js';
import type { ConnectionFacts } from './connection.js';
import { statusBlocks } from './status-view.js';

interface Origin {
  readonly channel?: string | undefined;
}

export interface ConnectForm extends Origin {
  /** The connection that the new key would replace. */
  readonly replaces?: Connection | undefined;
  /** Why the last attempt failed, shown above the field. */
  readonly refused?: { readonly error: unknown; readonly reference: string } | undefined;
}

export function connectForm({ replaces, refused, channel }: ConnectForm): ModalView {
  const blocks: Block[] = [
    replaces
      ? richText(
          [bold('This replaces the account that is connected now')],
          [
            textElement('by '),
            person(replaces.connectedBy),
            momentAfter(', ', replaces.connectedAt, '{date_long_pretty} at {time}'),
            textElement('. Its key is forgotten once the new one works.'),
          ],
        )
      : richText([
          textElement('Scandesk asks your scanning account through an '),
          bold('API key'),
          textElement('. You find it on the account’s API Keys page; plans that are not paid have none.'),
        ]),
    ...(refused ? [refusedBlock(keyProblem(refused.error))] : []),
    ...(refused && !isExpected(refused.error) ? [referenceBlock(refused.reference)] : []),
    {
      type: 'input',
      block_id: blockIds.key,
      label: { type: 'plain_text', text: 'API key', emoji: false },
      hint: {
        type: 'plain_text',
        text: 'It is kept sealed and never shown again, not even to you.',
        emoji: false,
      },
      element: {
        type: 'plain_text_input',
        action_id: actionIds.connectKey,
        max_length: 500,
        focus_on_load: true,
        placeholder: { type: 'plain_text', text: 'Paste it here', emoji: false },
      },
    },
  ];
  return modalView(replaces ? 'Replace the API key' : 'Connect an account', blocks, {
    callback_id: callbackIds.connect,
    submit: replaces ? 'Replace' : 'Connect',
    private_metadata: originNotes.write({ channel }),
  });
}

/** The usual text for a refused key sends people to this form; here the key was just entered. */
function keyProblem(error: unknown): Problem {
  if (!(error instanceof AccountError) || error.code !== 'account.key_refused') {
    return problemOf(error);
  }
  return error.apiCode === '10'
    ? {
        what: 'The account knows this key, but does not let it in.',
        todo: [textElement('Its plan may not include the API: ask whoever looks after the account.')],
      }
    : {
        what: 'The account does not know this API key.',
        todo: [textElement('Copy it once more from the account’s API Keys page.')],
      };
}

function refusedBlock(problem: Problem): Block {
  return richText(
    [{ type: 'emoji', name: 'warning' }, textElement(' '), bold(problem.what)],
    [...problem.todo, textElement(' The key was not kept.')],
  );
}

/** The connection's status with its buttons, for those who may change it. */
export function connectionView(facts: ConnectionFacts, { channel }: Origin): ModalView {
  return modalView(
    'Connection',
    [
      ...statusBlocks(facts),
      actions(
        [
          button('Choose databases', actionIds.connectDatabases),
          button('Replace the key', actionIds.connectReplace),
          button('Disconnect', actionIds.disconnectOpen, { style: 'danger' }),
        ],
        'connection.buttons',
      ),
    ],
    { callback_id: callbackIds.connection, private_metadata: originNotes.write({ channel }) },
  );
}

/** Names what is deleted, and what stays. */
export function disconnectForm(connection: Connection, relays: number, { channel }: Origin): ModalView {
  return modalView(
    'Disconnect?',
    [
      richText(
        [bold('Scandesk forgets the API key'), textElement(' that '), person(connection.connectedBy)],
        [momentAfter('connected ', connection.connectedAt, '{date_long_pretty} at {time}'), textElement('.')],
      ),
      richText([
        textElement(
          'Nobody here can look up barcodes until an account is connected again. The choice of databases goes with the key.',
        ),
      ]),
      context(
        relays === 0
          ? 'The account itself is not touched.'
          : `The account itself is not touched. ${relays === 1 ? 'The relay goes' : `The ${relays} relays go`} on taking and posting scans.`,
      ),
    ],
    {
      callback_id: callbackIds.disconnect,
      submit: 'Disconnect',
      close: 'Keep it',
      private_metadata: originNotes.write({ channel }),
    },
  );
}
