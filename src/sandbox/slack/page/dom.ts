/**
 * DOM construction. Text enters the document as text nodes only: no function here takes markup. None sets a style
 * attribute by itself, which the page's Content-Security-Policy forbids.
 */

export type Child = Node | string | null | undefined | false;
export type Props = Readonly<Record<string, unknown>>;

function apply(node: Element, props: Props, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), value as EventListener);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) node.append(child);
}

/**
 * Creates an element. Props are attributes; a function is a listener (`onclick`), `true` an empty attribute;
 * `undefined`, `null` and `false` are skipped.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  apply(node, props, children);
  return node;
}

/** A button that submits nothing. */
export function pushButton(props: Props, ...children: Child[]): HTMLButtonElement {
  return el('button', { type: 'button', ...props }, ...children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(node, props, children);
  return node;
}

export function fill(node: Element, ...children: Child[]): void {
  node.replaceChildren(...children.filter((child): child is Node | string => !!child));
}

let lastId = 0;

/** An id unique to this page, for labels and the elements that they label. */
export function freshId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

const openableProtocols = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The URL if it is safe to open; undefined if it could run (`javascript:`) or is not a URL. */
export function safeUrl(url: string): string | undefined {
  try {
    const parsed = new URL(url);
    return openableProtocols.has(parsed.protocol) ? parsed.href : undefined;
  } catch {
    return undefined;
  }
}

/** A link that opens in a new tab; plain text if the URL is not safe to open. */
export function link(url: string, props: Props, ...children: Child[]): HTMLElement {
  const href = safeUrl(url);
  if (href === undefined) return el('span', {}, ...children);
  return el('a', { href, target: '_blank', rel: 'noopener noreferrer', ...props }, ...children);
}
