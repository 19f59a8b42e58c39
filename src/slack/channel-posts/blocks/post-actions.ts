/**
 * What a person can do with a post: at most two buttons, the rest in the menu beside them. A new row needs a listener
 * for its id in the feature's index.ts, and nothing else. Pure.
 */
import { z } from 'zod';
import type { Post } from '../../../relay/index.js';
import { type Actions, actions, type Block, button, option } from '../../block-kit/elements.js';
import { encode, longest } from '../../bolt/metadata.js';

/** What the buttons of a post carry: its key, never the barcode, which can be longer than a button's value. */
export const postData = z.object({ post: z.string() });

/** What an option of the menu carries. `do`: the id of its action. */
export const postMenuData = postData.extend({ do: z.string() });

export interface PostAction {
  /** The action_id of its button, and its key in menus and settings: it stays as it is. */
  readonly id: string;
  readonly label: string;
  /** Never a button. */
  readonly menuOnly?: boolean;
  /** Whether the post offers it in its present state. */
  offered(post: Post): boolean;
}

/** In the order of their usefulness: by default the first two are buttons. */
export const postActions: readonly PostAction[] = [
  { id: 'post.lookup', label: 'Look up', offered: (post) => 'scan' in post },
  { id: 'post.acknowledge', label: 'Acknowledge', offered: isUnacknowledged },
  { id: 'post.mute', label: 'Mute', offered: () => true },
  { id: 'post.ack_note', label: 'Acknowledge with a note…', menuOnly: true, offered: isUnacknowledged },
  { id: 'post.note', label: 'Add a note…', menuOnly: true, offered: (post) => !isUnacknowledged(post) },
];

/** Slack's own limit is higher for a button row, but people's is not. */
export const mostButtons = 2;

/** Slack's limit of an overflow menu. */
const mostInMenu = 5;

/** @param chosen ids of the actions that are buttons; by default, the first ones that the post offers */
export function actionBlocks(post: Post, chosen?: readonly string[]): Block[] {
  if (post.kind === 'digest' || post.kind === 'card') {
    return [];
  }
  const offered = postActions.filter((action) => action.offered(post));
  const able = offered.filter(({ menuOnly }) => !menuOnly);
  const buttons = (chosen ? able.filter(({ id }) => chosen.includes(id)) : able).slice(0, mostButtons);
  // What the menu cannot hold is a button, whatever was chosen.
  const tooMany = Math.max(0, offered.length - buttons.length - mostInMenu);
  const promoted = able.filter((action) => !buttons.includes(action)).slice(0, tooMany);
  const shown = offered.filter((action) => buttons.includes(action) || promoted.includes(action));
  const rest = offered.filter((action) => !shown.includes(action));
  const value = encode(postData, { post: post.key }, longest.button);
  const elements: Actions['elements'] = [
    ...shown.map(({ id, label }) => button(label, id, { value })),
    ...(rest.length > 0 ? [menu(post.key, rest)] : []),
  ];
  return elements.length > 0 ? [actions(elements)] : [];
}

function menu(key: string, rest: readonly PostAction[]): Actions['elements'][number] {
  const value = (id: string) => encode(postMenuData, { do: id, post: key }, longest.option);
  return { type: 'overflow', action_id: 'post.menu', options: rest.map(({ id, label }) => option(label, value(id))) };
}

function isUnacknowledged(post: Post): boolean {
  return !('acknowledged' in post && post.acknowledged);
}
