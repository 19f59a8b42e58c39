/** Response URLs: each belongs to one interaction and works at most five times within 30 minutes. */
import type { Clock, Random } from '../../../clock.js';

export interface ResponseTarget {
  readonly team: string;
  readonly channel: string;
  readonly user: string;
  /** Only a click's URL can replace a message: that of the clicked element. */
  readonly kind: 'command' | 'click' | 'shortcut' | 'submission';
  readonly message?: { readonly ts: string; readonly thread_ts?: string };
}

export type UseResult =
  | { readonly ok: true; readonly target: ResponseTarget }
  | { readonly ok: false; readonly error: string };

export interface ResponseUrls {
  /** Creates a response URL; returns its path. */
  make(target: ResponseTarget): string;
  /** Counts one use of a response URL. */
  use(path: string): UseResult;
}

export const responsePath = '/response/';
const lifeMs = 30 * 60_000;
const mostUses = 5;

export function createResponseUrls(deps: { clock: Clock; random: Random }): ResponseUrls {
  const { clock, random } = deps;
  const issuedUrls = new Map<string, { target: ResponseTarget; at: number; used: number }>();
  return {
    make(target) {
      const now = clock.now();
      for (const [path, { at }] of issuedUrls) {
        if (now - at <= 2 * lifeMs) {
          break;
        }
        issuedUrls.delete(path);
      }
      const path = `${responsePath}${target.team}/${random.bytes(18).toString('base64url')}`;
      issuedUrls.set(path, { target, at: now, used: 0 });
      return path;
    },
    use(path) {
      const issuedUrl = issuedUrls.get(path);
      if (!issuedUrl) {
        return { ok: false, error: 'no_service' };
      }
      if (clock.now() - issuedUrl.at > lifeMs) {
        return { ok: false, error: 'expired_url' };
      }
      if (issuedUrl.used >= mostUses) {
        return { ok: false, error: 'used_url' };
      }
      issuedUrl.used += 1;
      return { ok: true, target: issuedUrl.target };
    },
  };
}
