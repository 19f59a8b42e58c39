/** App Home: a dashboard for one person. It shows nothing that their role does not allow. Pure. */
import { ScandeskError } from '../../errors.js';
import { type Actions, actions, type Block, button, divider, type HomeView } from '../block-kit/elements.js';
import { bold, code, richText } from '../block-kit/text.js';
import { viewFaults } from '../block-kit/view-limits.js';
import { scopeBlocks } from '../connection/scope-report.js';
import { statusBlocks } from '../connection/status-view.js';
import { helpBlocks, showAll } from '../help/help-view.js';
import type { HomeFacts } from './facts.js';
import { accessBlocks, auditBlocks } from './sections/admin.js';
import { attentionBlocks } from './sections/attention.js';
import { lookupBlocks, recentLookupBlocks } from './sections/lookup.js';
import { lentBlocks, placeBlocks } from './sections/places.js';
import { relayBlocks } from './sections/relays.js';
import { reportBlocks } from './sections/reports.js';
import { todayBlocks } from './sections/today.js';
import { watchBlocks } from './sections/watches.js';

/** App Home's view. @throws ScandeskError `slack.view` for a view Slack would refuse */
export function homeView(facts: HomeFacts): HomeView {
  const { status, recent } = facts;
  const sections = [
    attentionBlocks(facts),
    ...(status.connection ? [[...lookupBlocks(), ...recentLookupBlocks(recent)]] : [connectionSection(facts)]),
    todaySection(facts),
    ...activitySections(facts),
    ...(status.connection ? [connectionSection(facts)] : []),
    ...adminSections(facts),
    // Who has begun knows the commands, or opens them.
    status.connection
      ? [actions([button('All commands', showAll)], 'help.buttons')]
      : [richText([bold('Commands')]), ...helpBlocks(facts.role)],
  ];
  return viewOfSections(sections.filter((blocks) => blocks.length > 0));
}

function todaySection({ status, today: figures, relays }: HomeFacts): Block[] {
  return figures && (status.connection || relays.length > 0) ? todayBlocks(figures) : [];
}

function activitySections({
  role,
  status,
  relays,
  places = [],
  lent = [],
  counting,
  reports = [],
  watches,
}: HomeFacts): Block[][] {
  const mayManage = role !== 'everyone';
  return [
    placeBlocks(places, mayManage),
    lentBlocks(lent, counting),
    status.connection || relays.length > 0 ? relayBlocks(relays, mayManage) : [],
    reportBlocks(reports),
    watchBlocks(watches),
  ];
}

function adminSections({ status, audit, scopes }: HomeFacts): Block[][] {
  return audit ? [scopeBlocks(scopes), accessBlocks(status), auditBlocks(audit)] : [];
}

function connectionSection({ status, role }: HomeFacts): Block[] {
  const mayChange = role !== 'everyone';
  const buttons: Actions['elements'] = status.connection
    ? [button('Status', 'status.open'), ...(mayChange ? [button('Connection', 'connect.open')] : [])]
    : mayChange
      ? [button('Connect account', 'connect.open', { style: 'primary' })]
      : [];
  return [
    ...statusBlocks(status, { withRelays: false }),
    ...(buttons.length > 0 ? [actions(buttons, 'home.buttons')] : []),
  ];
}

/** A view of sections, with a divider between them. */
function viewOfSections(sections: readonly (readonly Block[])[]): HomeView {
  const blocks = sections.flatMap((section, at) => (at === 0 ? section : [divider, ...section]));
  const homeTab: HomeView = { type: 'home', blocks };
  const faults = viewFaults(homeTab);
  if (faults.length > 0) {
    throw new ScandeskError('slack.view', `App Home exceeds Slack’s limits: ${faults.slice(0, 5).join('; ')}`);
  }
  return homeTab;
}

export function outsideHomeView(): HomeView {
  return {
    type: 'home',
    blocks: [
      richText(
        [bold('Scandesk is for full members of this workspace.')],
        'To find out about a barcode, ask a member to look it up and share it with you.',
      ),
    ],
  };
}

export function unknownHomeView(): HomeView {
  return viewOfSections([
    [
      richText('Slack couldn’t confirm who you are, so this page is empty. Open it again in a moment.', [
        'Meanwhile, type ',
        code('/barcode'),
        ' and a barcode in any channel to look it up.',
      ]),
    ],
  ]);
}
