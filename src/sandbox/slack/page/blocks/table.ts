/** table and data_table: rows of raw text, numbers or rich text; the first row is the heading. */
import type { Directory } from '../context.js';
import { el, pushButton } from '../dom.js';
import { isRecord, type Json, num, str } from '../json.js';
import { drawRichText } from './rich-text.js';

type Row = readonly Json[];

function rowsOf(block: Json): readonly Row[] {
  const rows = Array.isArray(block.rows) ? block.rows : [];
  return rows.filter((row): row is unknown[] => Array.isArray(row)).map((row) => row.filter(isRecord));
}

function drawCell(cell: Json, directory: Directory): Node {
  if (cell.type === 'rich_text') return drawRichText(cell, directory);
  if (cell.type === 'raw_text') return document.createTextNode(str(cell, 'text') ?? '');
  if (cell.type === 'raw_number') return document.createTextNode(str(cell, 'text') ?? String(num(cell, 'value') ?? ''));
  return el('span', { class: 'cannot' }, `can’t show ${String(cell.type)}`);
}

function cellClass(settings: unknown, column: number, cell: Json): string {
  const setting = Array.isArray(settings) && isRecord(settings[column]) ? settings[column] : undefined;
  const align = str(setting, 'align') ?? (cell.type === 'raw_number' ? 'right' : 'left');
  return `${align === 'right' || align === 'center' ? `align-${align}` : ''}${setting?.is_wrapped === true ? ' wrapped' : ''}`;
}

function drawRow(row: Row, heading: boolean, block: Json, directory: Directory, rowHeading: number): HTMLElement {
  return el(
    'tr',
    {},
    ...row.map((cell, column) => {
      const scope = heading ? 'col' : column === rowHeading ? 'row' : undefined;
      const props = { class: cellClass(block.column_settings, column, cell) || undefined, scope };
      return el(scope ? 'th' : 'td', props, drawCell(cell, directory));
    }),
  );
}

export function drawTable(block: Json, directory: Directory): HTMLElement {
  const [heading, ...rest] = rowsOf(block);
  const table = el('table', {});
  if (heading) table.append(el('thead', {}, drawRow(heading, true, block, directory, -1)));
  table.append(el('tbody', {}, ...rest.map((row) => drawRow(row, false, block, directory, -1))));
  return el('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': 'Table' }, table);
}

export function drawDataTable(block: Json, directory: Directory): HTMLElement {
  const [heading, ...rest] = rowsOf(block);
  const size = Math.min(100, Math.max(1, num(block, 'page_size') ?? 5));
  const pages = Math.max(1, Math.ceil(rest.length / size));
  const rowHeading = num(block, 'row_header_column_index') ?? 0;
  const caption = str(block, 'caption') ?? '';
  const body = el('tbody', {});
  const where = el('span', { class: 'muted' });
  let page = 0;
  const back = pushButton({ class: 'button button-small', onclick: () => turn(-1) }, 'Previous');
  const on = pushButton({ class: 'button button-small', onclick: () => turn(1) }, 'Next');
  const turn = (by: number): void => {
    page = Math.min(pages - 1, Math.max(0, page + by));
    const pageRows = rest.slice(page * size, page * size + size);
    body.replaceChildren(...pageRows.map((row) => drawRow(row, false, block, directory, rowHeading)));
    where.textContent = `${page * size + 1}–${page * size + pageRows.length} of ${rest.length}`;
    back.disabled = page === 0;
    on.disabled = page === pages - 1;
  };
  turn(0);
  return el(
    'div',
    { class: 'data-table' },
    el(
      'div',
      { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': caption || 'Table' },
      el(
        'table',
        {},
        el('caption', {}, caption),
        heading && el('thead', {}, drawRow(heading, true, block, directory, -1)),
        body,
      ),
    ),
    pages > 1 && el('div', { class: 'pager' }, back, on, where),
  );
}
