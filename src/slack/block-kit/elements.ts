/** Block Kit types and constructors. A message always has fallback text and never link previews. */
import type { types } from '@slack/bolt';
import { cut } from '../../english.js';
import { ScandeskError } from '../../errors.js';
import { viewFaults } from './view-limits.js';

export { cut } from '../../english.js';

export type Block = types.KnownBlock;
export type Section = types.SectionBlock;
export type Actions = types.ActionsBlock;
export type Context = types.ContextBlock;
export type Input = types.InputBlock;
export type RichText = types.RichTextBlock;
export type RichTextElement = types.RichTextElement;
export type RichTextSection = types.RichTextSection;
export type Button = types.Button;
export type Option = types.PlainTextOption;
export type PlainText = types.PlainTextElement;
export type Mrkdwn = types.MrkdwnElement;
export type Confirm = types.ConfirmationDialog;
export type ModalView = types.ModalView;
export type HomeView = types.HomeView;

export interface Message {
  /** Shown by notifications and screen readers. It is mrkdwn: build it with `fallback` or `escaped` from text.ts. */
  readonly text: string;
  readonly blocks: Block[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

export function message(text: string, blocks: readonly Block[]): Message {
  return { text: shortFallback(text), blocks: [...blocks], unfurl_links: false, unfurl_media: false };
}

/** Limits a fallback text: Slack refuses to change a message to more than 4,000 characters. */
const longestFallback = 3_000;

/** Cuts the text between the marks of mrkdwn: no half entity, mention or date is left, and code is closed. */
function shortFallback(text: string): string {
  if (text.length <= longestFallback) {
    return text;
  }
  const shortened = cut(text, longestFallback - 1).replace(/(?:&[a-z]*|<[^<>]*)…$/, '…');
  return (shortened.split('`').length - 1) % 2 === 1 ? `${shortened}\`` : shortened;
}

/**
 * Builds a modal. A view over Slack's limits is a bug here, so it fails here and not at Slack.
 * @throws ScandeskError `slack.view` for a view Slack would refuse
 */
export function modalView(
  title: string,
  blocks: readonly Block[],
  options: Partial<Omit<ModalView, 'type' | 'title' | 'blocks' | 'submit' | 'close'>> & {
    submit?: string;
    close?: string;
  } = {},
): ModalView {
  const { submit, close, ...otherOptions } = options;
  const view: ModalView = {
    type: 'modal',
    title: plain(title),
    blocks: [...blocks],
    close: plain(close ?? (submit ? 'Cancel' : 'Close')),
    ...(submit ? { submit: plain(submit) } : {}),
    ...otherOptions,
  };
  const faults = viewFaults(view);
  if (faults.length > 0) {
    throw new ScandeskError('slack.view', `view exceeds Slack’s limits: ${faults.slice(0, 5).join('; ')}`);
  }
  return view;
}

/** Plain text as it is: no emoji, no formatting. */
export function plain(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}

/** Scandesk's own text with formatting; nothing becomes a link by itself. Outside text must pass `escaped` first. */
export function mrkdwn(text: string): Mrkdwn {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function section(text: string, fields: Partial<Omit<Section, 'type' | 'text'>> = {}): Section {
  return { type: 'section', text: mrkdwn(text), ...fields };
}

export function context(...texts: readonly string[]): Context {
  return { type: 'context', elements: texts.map(mrkdwn) };
}

/** A context of plain text, which may be from outside: Slack shows no emoji in it. */
export function plainContext(...texts: readonly string[]): Context {
  return { type: 'context', elements: texts.map((text) => plain(cut(text, 2_000))) };
}

export function actions(elements: Actions['elements'], blockId?: string): Actions {
  return { type: 'actions', elements, ...(blockId ? { block_id: blockId } : {}) };
}

export function button(
  text: string,
  actionId: string,
  fields: Partial<Omit<Button, 'type' | 'text' | 'action_id'>> = {},
): Button {
  return { type: 'button', text: plain(text), action_id: actionId, ...fields };
}

export function option(text: string, value: string, description?: string): Option {
  return {
    text: plain(cut(text, 75)),
    value,
    ...(description ? { description: plain(cut(description, 75)) } : {}),
  };
}

/** The value of the one option of a picker whose options could not be loaded; the value is no id. */
export const unavailable = '!unavailable';

/** Slack's limit for an option's value, in characters. */
export const longestValue = 150;

/** The items that can be options: Slack refuses the whole list for one id that is empty, too long or repeated. */
export function pickable<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => {
    const fits = id !== '' && id.length <= longestValue && !seen.has(id);
    seen.add(id);
    return fits;
  });
}

/** Slack's limit for a confirmation's text; a longer one is cut and says so. */
const longestConfirm = 300;
const shortened = ' (Shortened to fit.)';

export function confirm(title: string, text: string, yes: string, no = 'Cancel', danger = true): Confirm {
  return {
    title: plain(title),
    text: plain(text.length <= longestConfirm ? text : `${cut(text, longestConfirm - shortened.length)}${shortened}`),
    confirm: plain(yes),
    deny: plain(no),
    ...(danger ? { style: 'danger' as const } : {}),
  };
}

/** Slack's table: the first column is text that wraps, the others are figures. Outside text appears verbatim. */
export function tableBlock(heads: readonly string[], rows: readonly (readonly string[])[]): Block {
  const cell = (text: string) => ({ type: 'raw_text', text });
  return {
    type: 'table',
    column_settings: heads.map((_, at) => (at === 0 ? { align: 'left', is_wrapped: true } : { align: 'right' })),
    rows: [heads, ...rows].map((cells) => cells.map(cell)),
  } as unknown as Block;
}

export const divider: Block = { type: 'divider' };
