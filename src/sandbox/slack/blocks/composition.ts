/**
 * Block Kit's composition objects (texts, options, confirmations, filters) and their limits, in UTF-16 units: an emoji
 * counts at least as much here as it does in Slack. Source: Slack's Block Kit reference, "Composition objects".
 */
import { z } from 'zod';

export const plainText = (max: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  });

export const mrkdwn = (max: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(max),
    verbatim: z.boolean().optional(),
  });

export const text = (max: number) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const actionId = z.string().min(1).max(255);
export const blockId = z.string().min(1).max(255);
export const style = z.enum(['primary', 'danger']);
/** The URLs that a button or a link may open. */
export const url = z.url({ protocol: /^(https?|mailto|slack|tel)$/ }).max(3000);
export const placeholder = plainText(150);

export const confirm = z.strictObject({
  title: plainText(100),
  text: text(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: style.optional(),
});

const optionFields = {
  value: z.string().min(1).max(150),
  description: plainText(75).optional(),
};

/** An option of a menu. */
export const option = z.strictObject({ ...optionFields, text: plainText(75) });
/** An option of radio buttons or checkboxes: its text may be bold or contain a link. */
export const markedOption = z.strictObject({ ...optionFields, text: text(75), description: text(75).optional() });
/** An option of an overflow menu: it may open a URL. */
export const overflowOption = z.strictObject({ ...optionFields, text: plainText(75), url: url.optional() });

export const optionGroup = z.strictObject({ label: plainText(75), options: z.array(option).min(1).max(100) });

export const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .refine((filter) => Object.keys(filter).length > 0, 'filter must have at least one property');

export const dispatchActionConfig = z.strictObject({
  trigger_actions_on: z
    .array(z.enum(['on_enter_pressed', 'on_character_entered']))
    .min(1)
    .max(2),
});

/** The properties of every interactive element. */
export const base = { action_id: actionId.optional() };
export const choosable = { ...base, confirm: confirm.optional(), focus_on_load: z.boolean().optional() };

export const distinctValues = 'option values must be unique';
export const notAnOption = 'must match one of the provided options';

interface WithValue {
  readonly value: string;
}

/** Whether all options have different values: two with the same could not be told apart once chosen. */
export const haveDistinctValues = (options: readonly WithValue[]): boolean =>
  new Set(options.map((one) => one.value)).size === options.length;

/** Whether an initial option equals one of the options in every field. */
export const isAmong = (options: readonly unknown[], option: unknown): boolean => {
  const wanted = canonical(option);
  return options.some((one) => canonical(one) === wanted);
};

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
