/** The Block Kit renderer: draws each block in a box that carries its block id. An unsupported block shows its type. */
import type { Surface } from '../context.js';
import { el } from '../dom.js';
import { isRecord, type Json, str } from '../json.js';
import { drawChart } from './chart.js';
import { drawInput } from './input.js';
import { drawActions, drawAlert, drawContext, drawHeader, drawImage, drawSection } from './layout.js';
import { drawMarkdown } from './markdown.js';
import { drawRichText } from './rich-text.js';
import { drawDataTable, drawTable } from './table.js';

function content(block: Json, surface: Surface, error: string | undefined): HTMLElement {
  switch (block.type) {
    case 'header':
      return drawHeader(block, surface);
    case 'section':
      return drawSection(block, surface);
    case 'divider':
      return el('hr');
    case 'context':
      return drawContext(block, surface);
    case 'actions':
      return drawActions(block, surface);
    case 'image':
      return drawImage(block, surface);
    case 'alert':
      return drawAlert(block, surface);
    case 'rich_text':
      return drawRichText(block, surface.directory);
    case 'input':
      return drawInput(block, surface, error);
    case 'table':
      return drawTable(block, surface.directory);
    case 'data_table':
      return drawDataTable(block, surface.directory);
    case 'markdown':
      return drawMarkdown(block);
    case 'data_visualization':
      return drawChart(block);
    default:
      return el(
        'p',
        { class: 'cannot', 'data-test': 'cannot-draw' },
        `This page can’t show the block “${String(block.type)}”.`,
      );
  }
}

export function drawBlock(block: Json, surface: Surface, error?: string): HTMLElement {
  return el(
    'div',
    {
      class: `block block-${/^\w+$/.test(String(block.type)) ? block.type : 'unknown'}`,
      'data-block-id': str(block, 'block_id') ?? '',
      'data-block-type': String(block.type),
    },
    content(block, surface, error),
  );
}

export function blocksIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
