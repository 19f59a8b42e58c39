/** Postback URLs of services as text, without parts that may be secret, and the relay a URL belongs to. Pure. */
import { cut } from '../../block-kit/elements.js';

/** A part of a path that looks like a word and not like a generated secret. */
const plainSegment = /^[A-Za-z][A-Za-z._-]{0,19}$/;

/** A URL as shown: the host, and the parts of the path that cannot be secret: `hooks.example.com/scans/…`. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) {
    return 'an unreadable URL';
  }
  const { host, pathname, search, hash } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const first = parts.findIndex((part) => !plainSegment.test(part));
  const shownParts = parts.slice(0, first < 0 ? 2 : Math.min(first, 2));
  const isShortened = shownParts.length < parts.length || search !== '' || hash !== '';
  return cut([host, ...shownParts, ...(isShortened ? ['…'] : [])].join('/'), 200);
}

/** The id of the relay whose webhook URL this is; undefined for any other URL. */
export function relayIn(url: string, publicUrl: string): string | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { origin, pathname } = new URL(url);
  return origin === new URL(publicUrl).origin ? /^\/relay\/([\w-]+)\//.exec(pathname)?.[1] : undefined;
}
