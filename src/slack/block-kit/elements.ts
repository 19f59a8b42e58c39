/**
 * Owns the shapes of Block Kit as the rest of the room names them, and the one shape in which a message leaves the app.
 * Refuses to send a message without fallback text or with link previews.
 */
import type { types } from '@slack/bolt';
import { ScandeskError } from '../../errors.js';
import { viewFaults } from './view-limits.js';

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
  /** What notifications and screen readers say; mrkdwn, so built with `fallback` or `escaped` from text.ts. */
  readonly text: string;
  readonly blocks: Block[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

export function message(text: string, blocks: readonly Block[]): Message {
  return { text, blocks: [...blocks], unfurl_links: false, unfurl_media: false };
}

/**
 * What Slack would refuse is not made: it is our mistake, and is heard of where it is made.
 * @throws ScandeskError `slack.view`: a window that Slack would refuse
 */
export function modal(
  title: string,
  blocks: readonly Block[],
  more: Partial<Omit<ModalView, 'type' | 'title' | 'blocks' | 'submit' | 'close'>> & {
    submit?: string;
    close?: string;
  } = {},
): ModalView {
  const { submit, close, ...rest } = more;
  const view: ModalView = {
    type: 'modal',
    title: plain(title),
    blocks: [...blocks],
    close: plain(close ?? (submit ? 'Cancel' : 'Close')),
    ...(submit ? { submit: plain(submit) } : {}),
    ...rest,
  };
  const faults = viewFaults(view);
  if (faults.length > 0) {
    throw new ScandeskError('slack.view', `Slack would refuse this window: ${faults.slice(0, 5).join('; ')}`);
  }
  return view;
}

/** Text shown letter by letter: no emoji, no formatting. */
export function plain(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}

/** Our own words with formatting. Outside text goes through `escaped` first. Nothing becomes a link by itself. */
export function mrkdwn(text: string): Mrkdwn {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function section(text: string, more: Partial<Omit<Section, 'type' | 'text'>> = {}): Section {
  return { type: 'section', text: mrkdwn(text), ...more };
}

export function context(...texts: readonly string[]): Context {
  return { type: 'context', elements: texts.map(mrkdwn) };
}

export function actions(elements: Actions['elements'], blockId?: string): Actions {
  return { type: 'actions', elements, ...(blockId ? { block_id: blockId } : {}) };
}

export function button(
  text: string,
  actionId: string,
  more: Partial<Omit<Button, 'type' | 'text' | 'action_id'>> = {},
): Button {
  return { type: 'button', text: plain(text), action_id: actionId, ...more };
}

export function option(text: string, value: string, description?: string): Option {
  return {
    text: plain(cut(text, 75)),
    value,
    ...(description ? { description: plain(cut(description, 75)) } : {}),
  };
}

/** An option's value holds so many characters. */
export const longestValue = 150;

/** Those that can be options: Slack refuses a whole list for a value that is missing, too long, or there twice. */
export function pickable<Thing extends { readonly id: string }>(things: readonly Thing[]): Thing[] {
  const seen = new Set<string>();
  return things.filter(({ id }) => {
    const fits = id !== '' && id.length <= longestValue && !seen.has(id);
    seen.add(id);
    return fits;
  });
}

/** A confirmation holds so much; what is longer says that it is not all of it. */
const longestConfirm = 300;
const shortened = ' (Shortened: there is more than fits here.)';

export function confirm(title: string, text: string, yes: string, no = 'Keep it', danger = true): Confirm {
  return {
    title: plain(title),
    text: plain(text.length <= longestConfirm ? text : `${cut(text, longestConfirm - shortened.length)}${shortened}`),
    confirm: plain(yes),
    deny: plain(no),
    ...(danger ? { style: 'danger' as const } : {}),
  };
}

export const divider: Block = { type: 'divider' };

/** At most `max` UTF-16 units, as Slack counts, ending in … where something was left out; never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const end = text.codePointAt(max - 2)! > 0xffff ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}
