/** Popup lists next to a control: on top of everything, inside the browser window, closed by a click elsewhere. */
import { el } from '../dom.js';

export interface Popup {
  readonly box: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  /** Repositions the popup after its content has changed size. */
  place(): void;
}

/** Creates a popup. `box` is inserted next to `anchor`, so that it is part of the same dialog. */
export function createPopup(anchor: HTMLElement, props: Record<string, unknown>, onClose: () => void): Popup {
  const box = el('div', { popover: 'manual', ...props });
  let open = false;
  const outside = (event: Event): void => {
    const target = event.target as Node;
    if (!box.contains(target) && !anchor.contains(target)) popup.close();
  };
  const scrolled = (event: Event): void => {
    if (!box.contains(event.target as Node)) popup.place();
  };
  const popup: Popup = {
    box,
    get isOpen() {
      return open;
    },
    open() {
      if (open || !box.isConnected) return;
      open = true;
      box.showPopover();
      popup.place();
      document.addEventListener('pointerdown', outside, true);
      document.addEventListener('scroll', scrolled, true);
      window.addEventListener('resize', popup.close);
    },
    close() {
      if (!open) return;
      open = false;
      if (box.isConnected) box.hidePopover();
      document.removeEventListener('pointerdown', outside, true);
      document.removeEventListener('scroll', scrolled, true);
      window.removeEventListener('resize', popup.close);
      onClose();
    },
    place() {
      if (!open) return;
      if (!anchor.isConnected) {
        popup.close();
        return;
      }
      const around = anchor.getBoundingClientRect();
      const gap = 4;
      box.style.minWidth = `${Math.min(around.width, window.innerWidth - 16)}px`;
      const size = box.getBoundingClientRect();
      const below = around.bottom + gap;
      const fits = below + size.height <= window.innerHeight - 8;
      const top = fits ? below : Math.max(8, around.top - gap - size.height);
      box.style.top = `${top}px`;
      box.style.left = `${Math.max(8, Math.min(around.left, window.innerWidth - size.width - 8))}px`;
    },
  };
  return popup;
}
