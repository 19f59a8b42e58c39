/**
 * The blocks that each surface takes, and their limits. Block types that the app does not use (video, card, carousel,
 * plan …) are rejected; who needs one adds it with its limits. Source: Slack's Block Kit reference, "Blocks", "Views".
 */
import { z } from 'zod';
import { blockId, plainText, text } from './composition.js';
import { dataTable, dataVisualization, table } from './data.js';
import {
  actionsElement,
  image,
  imageSource,
  inputElement,
  modalInputElement,
  oneImageSource,
  sectionAccessory,
} from './elements.js';
import { richTextBlock } from './rich-text.js';

const blockProps = { block_id: blockId.optional() };

const section = z
  .strictObject({
    type: z.literal('section'),
    ...blockProps,
    text: text(3000).optional(),
    fields: z.array(text(2000)).min(1).max(10).optional(),
    accessory: sectionAccessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, 'must provide either text or fields');

const header = z.strictObject({ type: z.literal('header'), ...blockProps, text: plainText(150) });
const divider = z.strictObject({ type: z.literal('divider'), ...blockProps });
const imageBlock = z
  .strictObject({
    type: z.literal('image'),
    ...blockProps,
    alt_text: z.string().min(1).max(2000),
    title: plainText(2000).optional(),
    ...imageSource,
  })
  .refine(oneImageSource, 'must provide either image_url or slack_file');
const context = z.strictObject({
  type: z.literal('context'),
  ...blockProps,
  elements: z
    .array(z.union([text(2000), image]))
    .min(1)
    .max(10),
});
const actions = z.strictObject({
  type: z.literal('actions'),
  ...blockProps,
  elements: z.array(actionsElement).min(1).max(25),
});
const markdown = z.strictObject({ type: z.literal('markdown'), ...blockProps, text: z.string().min(1).max(12_000) });

const input = <Element extends typeof inputElement | typeof modalInputElement>(element: Element) =>
  z.strictObject({
    type: z.literal('input'),
    ...blockProps,
    label: plainText(2000),
    element,
    hint: plainText(2000).optional(),
    optional: z.boolean().optional(),
    dispatch_action: z.boolean().optional(),
  });

const sharedBlocks = [section, header, divider, imageBlock, context, actions, richTextBlock] as const;

export const messageBlocks = z
  .array(
    z.discriminatedUnion('type', [...sharedBlocks, input(inputElement), markdown, table, dataTable, dataVisualization]),
  )
  .max(50);
const modalBlocks = z.array(z.discriminatedUnion('type', [...sharedBlocks, input(modalInputElement)])).max(100);
const homeBlocks = z.array(z.discriminatedUnion('type', [...sharedBlocks, input(inputElement)])).max(100);

const viewFields = {
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  external_id: z.string().max(255).optional(),
};

export const modalView = z
  .strictObject({
    type: z.literal('modal'),
    title: plainText(24),
    blocks: modalBlocks,
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    ...viewFields,
  })
  .refine((view) => view.submit !== undefined || !view.blocks.some((block) => block.type === 'input'), {
    message: 'submit is required when an input block is within blocks',
    path: ['submit'],
  });

export const homeView = z.strictObject({ type: z.literal('home'), blocks: homeBlocks, ...viewFields });
