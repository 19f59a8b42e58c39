/** App Home: what Scandesk is, the connection's status, this person's next steps, the help. Pure. */
import { type Actions, actions, type Block, button, divider, type HomeView, plain } from '../block-kit/elements.js';
import { bold, code, richText, textElement } from '../block-kit/text.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import type { ConnectionStatus } from '../connection/status.js';
import { statusBlocks } from '../connection/status-view.js';
import { helpBlocks } from '../help/help-view.js';

/** `outside`: guests and people of other organizations. */
export type HomeRole = RequiredRole | 'outside';

export function homeView(facts: ConnectionStatus, role: HomeRole): HomeView {
  return { type: 'home', blocks: role === 'outside' ? outside() : inside(facts, role) };
}

function outside(): Block[] {
  return [
    richText(
      [bold('Scandesk is for full members of this workspace.')],
      [textElement('To find out about a barcode, ask a member to look it up and share it with you.')],
    ),
  ];
}

function inside(facts: ConnectionStatus, role: RequiredRole): Block[] {
  const buttons = buttonsFor(facts, role);
  return [
    { type: 'header', text: plain('Scandesk') },
    richText([
      textElement('Type '),
      code('/barcode'),
      textElement(' and a barcode in any channel. Only you see the answer until you share it.'),
    ]),
    divider,
    ...statusBlocks(facts),
    ...(buttons.length > 0 ? [actions(buttons, 'home.buttons')] : []),
    divider,
    richText([bold('Commands')]),
    ...helpBlocks(role),
  ];
}

function buttonsFor(facts: ConnectionStatus, role: RequiredRole): Actions['elements'] {
  const mayChange = role !== 'everyone';
  const status = button('Status', 'status.open');
  const accessButton = button('Manage access', 'access.open');
  if (!facts.connection) {
    return mayChange
      ? [button('Connect account', 'connect.open', { style: 'primary' }), ...(role === 'admin' ? [accessButton] : [])]
      : [];
  }
  return [
    status,
    ...(mayChange ? [button('Connection', 'connect.open'), button('Relays', 'relay.list')] : []),
    ...(role === 'admin' ? [accessButton] : []),
  ];
}

export function unknownHomeView(): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Scandesk') },
      richText(
        [textElement('Slack couldn’t confirm who you are, so this page is empty. Open it again in a moment.')],
        [
          textElement('Meanwhile, type '),
          code('/barcode'),
          textElement(' and a barcode in any channel to look it up.'),
        ],
      ),
    ],
  };
}
