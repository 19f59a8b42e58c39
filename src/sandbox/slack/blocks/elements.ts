/**
 * Block Kit's interactive elements, without menus, and their limits. The unions at the end say which block takes which.
 * Source: Slack's Block Kit reference, "Block elements".
 */
import { z } from 'zod';
import {
  base,
  choosable,
  confirm,
  dispatchActionConfig,
  distinctValues,
  haveDistinctValues,
  isAmong,
  markedOption,
  notAnOption,
  overflowOption,
  placeholder,
  plainText,
  style,
  url,
} from './composition.js';
import { menus } from './menus.js';
import { richTextBlock } from './rich-text.js';

const inputProps = {
  ...base,
  placeholder: placeholder.optional(),
  focus_on_load: z.boolean().optional(),
  dispatch_action_config: dispatchActionConfig.optional(),
};
const menu = { ...choosable, placeholder: placeholder.optional() };

const slackFile = z
  .strictObject({ id: z.string().min(1).optional(), url: z.url().optional() })
  .refine((file) => (file.id === undefined) !== (file.url === undefined), 'must provide either id or url');

export const imageSource = {
  image_url: z
    .url({ protocol: /^https?$/ })
    .max(3000)
    .optional(),
  slack_file: slackFile.optional(),
};
export const oneImageSource = (image: { image_url?: unknown; slack_file?: unknown }): boolean =>
  (image.image_url === undefined) !== (image.slack_file === undefined);

export const image = z
  .strictObject({ type: z.literal('image'), alt_text: z.string().min(1).max(2000), ...imageSource })
  .refine(oneImageSource, 'must provide either image_url or slack_file');

export const button = z.strictObject({
  type: z.literal('button'),
  ...base,
  text: plainText(75),
  url: url.optional(),
  value: z.string().max(2000).optional(),
  style: style.optional(),
  confirm: confirm.optional(),
  accessibility_label: z.string().max(75).optional(),
});

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...choosable,
    options: z.array(markedOption).min(1).max(10).refine(haveDistinctValues, distinctValues),
    initial_options: z.array(markedOption).min(1).optional(),
  })
  .refine((e) => (e.initial_options ?? []).every((one) => isAmong(e.options, one)), {
    message: notAnOption,
    path: ['initial_options'],
  });

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...choosable,
    options: z.array(markedOption).min(1).max(10).refine(haveDistinctValues, distinctValues),
    initial_option: markedOption.optional(),
  })
  .refine((e) => e.initial_option === undefined || isAmong(e.options, e.initial_option), {
    message: notAnOption,
    path: ['initial_option'],
  });

const overflow = z.strictObject({
  type: z.literal('overflow'),
  ...base,
  options: z.array(overflowOption).min(1).max(5).refine(haveDistinctValues, distinctValues),
  confirm: confirm.optional(),
});

const datepicker = z.strictObject({ type: z.literal('datepicker'), ...menu, initial_date: z.iso.date().optional() });
const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...menu,
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  timezone: z.string().min(1).optional(),
});
const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...choosable,
  initial_date_time: z.number().int().min(1_000_000_000).max(9_999_999_999).optional(),
});

const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    ...inputProps,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.number().int().min(0).max(3000).optional(),
    max_length: z.number().int().min(1).max(3000).optional(),
  })
  .refine((e) => (e.initial_value?.length ?? 0) <= (e.max_length ?? 3000), {
    message: 'must not be longer than max_length',
    path: ['initial_value'],
  })
  .refine((e) => (e.min_length ?? 0) <= (e.max_length ?? 3000), {
    message: 'must not be more than max_length',
    path: ['min_length'],
  });

const emailInput = z.strictObject({
  type: z.literal('email_text_input'),
  ...inputProps,
  initial_value: z.string().max(3000).optional(),
});
const urlInput = z.strictObject({
  type: z.literal('url_text_input'),
  ...inputProps,
  initial_value: z.string().max(3000).optional(),
});

const numeral = z.string().regex(/^-?\d+(\.\d+)?$/);
const numberInput = z
  .strictObject({
    type: z.literal('number_input'),
    ...inputProps,
    is_decimal_allowed: z.boolean(),
    initial_value: numeral.optional(),
    min_value: numeral.optional(),
    max_value: numeral.optional(),
  })
  .refine((e) => e.min_value === undefined || e.max_value === undefined || Number(e.min_value) <= Number(e.max_value), {
    message: 'must not be more than max_value',
    path: ['min_value'],
  });

const richTextInput = z.strictObject({
  type: z.literal('rich_text_input'),
  ...inputProps,
  initial_value: richTextBlock.optional(),
  min_lines: z.number().int().min(1).max(100).optional(),
  max_lines: z.number().int().min(1).max(100).optional(),
});

const fileInput = z.strictObject({
  type: z.literal('file_input'),
  ...base,
  filetypes: z.array(z.string().min(1)).min(1).optional(),
  max_files: z.number().int().min(1).max(10).optional(),
});

const sharedElements = [checkboxes, radioButtons, datepicker, timepicker, ...menus] as const;

/** The accessories of a section. A datetimepicker is not allowed in a section. */
export const sectionAccessory = z.discriminatedUnion('type', [button, image, overflow, ...sharedElements]);
export const actionsElement = z.discriminatedUnion('type', [button, overflow, datetimepicker, ...sharedElements]);

const inputElements = [
  ...sharedElements,
  datetimepicker,
  plainTextInput,
  emailInput,
  urlInput,
  numberInput,
  richTextInput,
] as const;
/** The elements of an input block in messages and App Home. */
export const inputElement = z.discriminatedUnion('type', inputElements);
/** The elements of an input block in modals: only there file inputs work. */
export const modalInputElement = z.discriminatedUnion('type', [...inputElements, fileInput]);
