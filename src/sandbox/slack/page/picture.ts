/** Images, loaded from the page's own origin only. */
import type { Directory } from './context.js';
import { el, safeUrl } from './dom.js';
import { type Json, record, str } from './json.js';

/** The URL of a file's bytes, for this person. */
export function fileAddress(id: string, directory: Directory): string {
  return `/sandbox/file/${encodeURIComponent(id)}?as=${encodeURIComponent(directory.me.id)}`;
}

/** A Slack file is named by its id or by its private URL, which contains the id. */
function slackFile(image: Json, directory: Directory): string | undefined {
  const file = record(image, 'slack_file');
  const id = str(file, 'id') ?? /\/files-pri\/T\w+-(F\w+)/.exec(str(file, 'url') ?? '')?.[1];
  return id === undefined ? undefined : fileAddress(id, directory);
}

/** An external image becomes a link with its alt text, so that nothing is loaded from outside. */
export function drawPicture(image: Json, size: 'small' | 'accessory' | 'full', directory: Directory): HTMLElement {
  const alt = str(image, 'alt_text') ?? '';
  const own = slackFile(image, directory);
  const imageUrl = str(image, 'image_url') ?? str(record(image, 'slack_file'), 'url') ?? '';
  const url = own === undefined ? safeUrl(imageUrl) : new URL(own, location.href).href;
  if (url !== undefined && new URL(url).origin === location.origin) {
    return el('img', { class: `picture picture-${size}`, src: url, alt, loading: 'lazy' });
  }
  const words = alt === '' ? 'picture' : alt;
  if (url === undefined) return el('span', { class: 'picture-elsewhere' }, words);
  return el('a', { class: 'picture-elsewhere', href: url, target: '_blank', rel: 'noopener noreferrer' }, words);
}
