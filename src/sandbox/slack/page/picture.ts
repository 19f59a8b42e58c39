/** Draws pictures, from the page's own address only. */
import { el, safeUrl } from './dom.js';
import { type Json, record, str } from './json.js';

/** A picture from elsewhere is a link with its description, so that nothing is fetched from outside and nothing is missing. */
export function drawPicture(image: Json, size: 'small' | 'accessory' | 'full'): HTMLElement {
  const alt = str(image, 'alt_text') ?? '';
  const given = str(image, 'image_url') ?? str(record(image, 'slack_file'), 'url') ?? '';
  const url = safeUrl(given) ?? (given.startsWith('/') ? new URL(given, location.href).href : undefined);
  if (url !== undefined && new URL(url).origin === location.origin) {
    return el('img', { class: `picture picture-${size}`, src: url, alt, loading: 'lazy' });
  }
  const words = alt === '' ? 'picture' : alt;
  if (url === undefined) return el('span', { class: 'picture-elsewhere' }, words);
  return el('a', { class: 'picture-elsewhere', href: url, target: '_blank', rel: 'noopener noreferrer' }, words);
}
