/** Relay secrets: generation, hashing, comparison. Only the hash is stored, so a secret is shown once. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../clock.js';

/** A new secret of 32 bytes, as 43 letters of base64url: the secret is part of a path. */
export function makeSecret(random: Random): string {
  return random.bytes(32).toString('base64url');
}

/** The hash of a secret in hex. 256 random bits need neither salt nor a slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

const noSecret = { id: '', hash: '0'.repeat(64) };

/**
 * The id of the live secret with this hash. The function compares with all hashes, and with one even if there is none,
 * so that timing reveals nothing.
 */
export function matchSecret(
  secrets: readonly { readonly id: string; readonly hash: string }[],
  hashed: string,
): string | undefined {
  const givenHash = Buffer.from(hashed, 'hex');
  let secretId: string | undefined;
  for (const secret of secrets.length > 0 ? secrets : [noSecret]) {
    const equal = timingSafeEqual(Buffer.from(secret.hash, 'hex'), givenHash);
    if (equal && secret !== noSecret) {
      secretId = secret.id;
    }
  }
  return secretId;
}
