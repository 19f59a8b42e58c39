/**
 * What a person can do with a post: at most two buttons, the rest in the menu beside them. A new row needs a listener
 * for its id in the feature's index.ts, and nothing else. Pure.
 */
import { z } from 'zod';
import { isCurrent, isTestScan, type Post } from '../../../relay/index.js';
import {
  type Actions,
  actions,
  type Block,
  button,
  type ModalView,
  modalView,
  option,
} from '../../block-kit/elements.js';
import { encode, longest, origin } from '../../bolt/metadata.js';
import type { Appearance } from '../appearance/appearance.js';
import { acknowledgementOf, alertOf } from './post-parts.js';
import { isShortened } from './scan-post.js';

/** The data of a post's buttons: the post's key, never the barcode, which can be longer than a button's value. */
export const postData = z.object({ post: z.string() });

/** The metadata of a form about a post: the post it was opened on. */
export const postFormMetadata = z.object({ ...origin, post: z.string() });

/** The data of an option in a post's menu. `do`: the id of its action. */
export const postMenuData = postData.extend({ do: z.string() });

export interface PostAction {
  /** The action_id of the action's button, and its key in menus and settings: it never changes. */
  readonly id: string;
  readonly label: string;
  /** Whether the action is in the menu only, and never a button. */
  readonly menuOnly?: boolean;
  /** Whether the post asks for the action; if not, it is a button only where the channel chose it. */
  readonly wanted?: (post: Post) => boolean;
  /** Whether the post offers the action in its present state. */
  offered(post: Post, look: Appearance['look']): boolean;
}

/** The actions, the most useful first: by default the first two are buttons. */
export const postActions: readonly PostAction[] = [
  { id: 'post.lookup', label: 'Look up', offered: showsScan },
  { id: 'post.acknowledge', label: 'Acknowledge', offered: isUnacknowledged, wanted: asksForSomebody },
  { id: 'post.resolve', label: 'Resolve…', offered: (post) => isOpen(post) && isAcknowledged(post) },
  { id: 'post.mute', label: 'Mute', offered: isDecided, wanted: asksForSomebody },
  { id: 'post.hand_over', label: 'Hand over…', menuOnly: true, offered: isOpen },
  { id: 'post.details', label: 'Details', menuOnly: true, offered: hasDetails },
  { id: 'post.ack_note', label: 'Acknowledge with a note…', menuOnly: true, offered: asksForNote },
  { id: 'post.note', label: 'Add a note…', menuOnly: true, offered: isAcknowledged },
  { id: 'post.member', label: 'Link user to Slack member', menuOnly: true, offered: hasUser },
  {
    id: 'post.appearance',
    label: 'Post appearance',
    menuOnly: true,
    offered: (post, look) => isDecided(post) || look === 'line',
  },
];

/** The most buttons of a post. Slack allows more in a row, but people do not read more. */
export const mostButtons = 2;

export function actionBlocks(post: Post, appearance: Appearance): Block[] {
  const { buttons, menuActions } = splitActions(post, appearance);
  const elements: Actions['elements'] = [
    ...buttons.map((action) => actionButton(action, post)),
    // An older version made keys of device ids, which may be too long for a menu.
    ...(menuActions.length > 0 && keyOf(post).length <= longestMenuKey ? [menu(keyOf(post), menuActions)] : []),
  ];
  return elements.length > 0 ? [actions(elements)] : [];
}

/** The modal of actions that do not fit the menu. */
export function moreActionsView(post: Post, appearance: Appearance, metadata: string): ModalView {
  const { menuActions } = splitActions(post, appearance);
  return modalView(
    moreActionsTitle,
    menuActions.slice(mostOptions - 1).map((action) => actions([actionButton(action, post)])),
    { callback_id: 'notice', private_metadata: metadata },
  );
}

export const moreActionsTitle = 'More actions';

function splitActions(post: Post, { look, buttons: chosenButtons }: Appearance) {
  const offered = postActions.filter((action) => action.offered(post, look));
  const isButton = ({ id, wanted }: PostAction) => chosenButtons?.includes(id) ?? wanted?.(post) ?? true;
  const possibleButtons = offered.filter((action) => !action.menuOnly && isButton(action));
  const buttons = possibleButtons.slice(0, mostButtons);
  return { buttons, menuActions: offered.filter((action) => !buttons.includes(action)) };
}

function actionButton({ id, label }: PostAction, post: Post) {
  return button(label, id, { value: encode(postData, { post: keyOf(post) }, longest.button) });
}

/** The longest key of a post that fits an option's value beside any action's id. */
const longestMenuKey = 100;
/** The most options that Slack allows in a menu. */
const mostOptions = 5;
const moreActionsItem = { id: 'post.more', label: 'More actions…' };

function menu(key: string, items: readonly PostAction[]): Actions['elements'][number] {
  const listed = items.length > mostOptions ? [...items.slice(0, mostOptions - 1), moreActionsItem] : items;
  const value = (id: string) => encode(postMenuData, { do: id, post: key }, longest.option);
  return { type: 'overflow', action_id: 'post.menu', options: listed.map(({ id, label }) => option(label, value(id))) };
}

/** The key of the post that actions change: for an escalation or an alert posted again, the alert's. */
function keyOf(post: Post): string {
  return alertOf(post)?.postKey ?? post.key;
}

/**
 * Whether the post is about one scan or alert, on which somebody decides: a digest and a thread's parent only count
 * scans, and a reply belongs to its alert.
 */
function isDecided(post: Post): boolean {
  const { kind } = post;
  return kind !== 'digest' && kind !== 'card' && kind !== 'reply';
}

/** Whether the post is an alert that people can still act on. */
function isOpen(post: Post): boolean {
  const incident = alertOf(post);
  return incident !== undefined && !incident.ended && !incident.resolved;
}

/** Whether the post does not show everything. */
function hasDetails(post: Post, look: Appearance['look']): boolean {
  return look === 'line' || (post.kind === 'scan' && isShortened(post.scan));
}

function isUnacknowledged(post: Post): boolean {
  return isDecided(post) && !isTest(post) && !isAcknowledged(post);
}

/** A scan that was posted to try the relay out: nobody holds its barcode, and nobody has to act. */
function isTest(post: Post): boolean {
  return 'scan' in post && post.scan !== undefined && isTestScan(post.scan);
}

function showsScan(post: Post): boolean {
  return 'scan' in post && post.scan !== undefined && !isTest(post);
}

function asksForNote(post: Post): boolean {
  return isUnacknowledged(post) && asksForSomebody(post);
}

/** Whether the post is an alert, or calls somebody: that a scan let nobody in is for its alert to ask about. */
function asksForSomebody(post: Post): boolean {
  const { users, groups } = post.mention;
  const isCall = users.length > 0 || groups.length > 0 || post.watchers.length > 0;
  return isCall || post.kind !== 'scan';
}

/** Whether the post is acknowledged; for an alert that was posted again, since then. */
function isAcknowledged(post: Post): boolean {
  const incident = alertOf(post);
  const acknowledged = acknowledgementOf(post);
  return incident ? isCurrent(acknowledged, incident) : acknowledged !== undefined;
}

function hasUser(post: Post): boolean {
  return post.kind === 'scan' && post.scan.userid !== undefined;
}
