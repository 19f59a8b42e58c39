/**
 * Keyed list rendering: an item stays the same element while its signature is the same, so that focus, typing, an open
 * list and the scroll position survive. When the focused item is redrawn, the same control in it gets the focus back.
 */

export interface KeyedPart {
  readonly key: string;
  /** The item's content as text: when it changes, the item is redrawn. */
  readonly signature: string;
  draw(): HTMLElement;
}

export interface KeyedList {
  show(parts: readonly KeyedPart[]): void;
}

interface Focused {
  readonly key: string;
  readonly selector: string;
  readonly from: number | null;
  readonly to: number | null;
}

export function createKeyedList(container: HTMLElement): KeyedList {
  let drawn = new Map<string, { readonly signature: string; readonly node: HTMLElement }>();

  const focused = (): Focused | undefined => {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement)) return undefined;
    const key = [...drawn].find(([, { node }]) => node.contains(active))?.[0];
    const holder = active.closest('[data-action-id]');
    const id = holder?.getAttribute('data-action-id');
    if (key === undefined || !id) return undefined;
    const choice = active.getAttribute('data-value');
    const own = `[data-action-id="${CSS.escape(id)}"]`;
    const text = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement ? active : undefined;
    const ranged = text && (text.type === 'text' || text.type === 'textarea') ? text : undefined;
    return {
      key,
      selector: choice === null || active === holder ? own : `${own} [data-value="${CSS.escape(choice)}"]`,
      from: ranged?.selectionStart ?? null,
      to: ranged?.selectionEnd ?? null,
    };
  };

  const refocus = (was: Focused): void => {
    const found = drawn.get(was.key)?.node;
    if (!found || found.contains(document.activeElement)) return;
    const control = found.querySelector<HTMLElement>(was.selector);
    control?.focus({ preventScroll: true });
    if (was.from === null) return;
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      control.setSelectionRange(was.from, was.to);
    }
  };

  return {
    show(parts) {
      const was = focused();
      const next = new Map<string, { readonly signature: string; readonly node: HTMLElement }>();
      for (const part of parts) {
        const known = drawn.get(part.key);
        next.set(
          part.key,
          known?.signature === part.signature ? known : { signature: part.signature, node: part.draw() },
        );
      }
      const keptNodes = new Set([...next.values()].map(({ node }) => node));
      for (const { node } of drawn.values()) if (!keptNodes.has(node)) node.remove();
      let at: ChildNode | null = container.firstChild;
      for (const { node } of next.values()) {
        // An element already in place is not moved, since moving it would take its focus away.
        if (at === node) at = at.nextSibling;
        else container.insertBefore(node, at);
      }
      drawn = next;
      if (was) refocus(was);
    },
  };
}
