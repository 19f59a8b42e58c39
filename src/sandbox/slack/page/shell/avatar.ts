/** Avatars: a person's initials on their own color; the app has its mark. */
import type { Person } from '../../api.js';
import { el, svg } from '../dom.js';

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '?')][0] ?? '?')
    .join('')
    .toUpperCase();
}

/** The app's mark: bars of a barcode within the four corners of a viewfinder. */
export function appMark(): SVGElement {
  const bars: readonly (readonly [number, number])[] = [
    [6.5, 1.6],
    [9.4, 2.6],
    [13.4, 1.3],
    [15.9, 1.8],
  ];
  return svg(
    'svg',
    { viewBox: '0 0 24 24', class: 'app-mark', 'aria-hidden': 'true' },
    svg('path', {
      d: 'M3 8V4.5A1.5 1.5 0 0 1 4.5 3H8M16 3h3.5A1.5 1.5 0 0 1 21 4.5V8M21 16v3.5a1.5 1.5 0 0 1-1.5 1.5H16M8 21H4.5A1.5 1.5 0 0 1 3 19.5V16',
    }),
    ...bars.map(([x, width]) => svg('rect', { x, y: 7.5, width, height: 9, rx: 0.3 })),
  );
}

export function avatar(person: Person | undefined): HTMLElement {
  if (person?.is_bot) return el('span', { class: 'avatar avatar-app', 'aria-hidden': 'true' }, appMark());
  const box = el(
    'span',
    { class: 'avatar', 'aria-hidden': 'true' },
    initials(person?.real_name || person?.name || '?'),
  );
  if (person) box.style.backgroundColor = person.color;
  return box;
}

export function lockMark(): SVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 16 16', class: 'lock-mark', role: 'img', 'aria-label': 'private' },
    svg('rect', { x: 3, y: 7, width: 10, height: 7, rx: 1.5 }),
    svg('path', { d: 'M5 7V5a3 3 0 0 1 6 0v2' }),
  );
}
