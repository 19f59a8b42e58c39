/**
 * The blocks that show data (table, data_table, data_visualization) and their limits.
 * Source: Slack's Block Kit reference, the blocks' own pages.
 */
import { z } from 'zod';
import { blockId } from './composition.js';
import { richTextBlock } from './rich-text.js';

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) });
const rawNumber = z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) });
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richTextBlock]);

/** The limit on a table's text, summed over all cells. */
const tableCharacters = 10_000;
const tooMuchText = `must have no more than ${tableCharacters} characters over all cells`;

function characterCount(value: unknown): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, one) => sum + characterCount(one), 0);
  }
  if (typeof value !== 'object' || value === null) {
    return 0;
  }
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + (key === 'text' && typeof one === 'string' ? one.length : characterCount(one)),
    0,
  );
}
const isWithinLimit = (rows: unknown): boolean => characterCount(rows) <= tableCharacters;

export const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId.optional(),
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100).refine(isWithinLimit, tooMuchText),
  column_settings: z
    .array(
      z
        .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
        .nullable(),
    )
    .max(20)
    .optional(),
});

export const dataTable = z.strictObject({
  type: z.literal('data_table'),
  block_id: blockId.optional(),
  caption: z.string().min(1),
  rows: z
    .array(z.array(cell).min(1).max(20))
    .min(2)
    .max(101)
    .refine((rows) => rows.every((row) => row.length === rows[0]?.length), 'all rows must have the same length')
    .refine((rows) => rows[0]?.every((one) => one.type !== 'rich_text') ?? true, 'a header cell must not be rich_text')
    .refine(isWithinLimit, tooMuchText),
  page_size: z.number().int().min(1).max(100).optional(),
  row_header_column_index: z.number().int().min(0).optional(),
});

const label = z.string().min(1).max(20);
const axisTitle = z.string().min(1).max(50).optional();
const series = z
  .array(
    z.strictObject({
      name: label,
      data: z
        .array(z.strictObject({ label, value: z.number() }))
        .min(1)
        .max(20),
    }),
  )
  .min(1)
  .max(6)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'series names must be unique');
const axes = z.strictObject({ categories: z.array(label).min(1).max(20), x_label: axisTitle, y_label: axisTitle });

const axisChart = <Name extends string>(name: Name) =>
  z
    .strictObject({ type: z.literal(name), series, axis_config: axes })
    .refine(
      ({ series: all, axis_config }) =>
        all.every(
          (one) =>
            one.data.length === axis_config.categories.length &&
            axis_config.categories.every((category) => one.data.some((point) => point.label === category)),
        ),
      { message: 'data labels must match the categories', path: ['series'] },
    );

export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId.optional(),
  title: z.string().min(1).max(50),
  chart: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('pie'),
      segments: z
        .array(z.strictObject({ label, value: z.number().positive() }))
        .min(1)
        .max(6),
    }),
    axisChart('bar'),
    axisChart('line'),
    axisChart('area'),
  ]),
});
