/**
 * Encryption at rest of secrets, such as API keys and Slack tokens (AES-256-GCM). A sealed text opens only unchanged,
 * and only for the purpose, installation and record for which it was sealed.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Random } from '../clock.js';
import { StoreError } from '../database/errors.js';
import type { SealContext, Sealer } from './types.js';

const version = '1';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * A sealed text is `<key id>.<version>.<nonce, AES-256-GCM ciphertext, tag as base64url>`. New seals use the first key;
 * any of the keys opens, so a key is rotated by putting the new one first.
 * @param keys 32 bytes each
 * @throws StoreError `store.seal_key` when there is none or one has another size
 */
export function createSealer(keys: readonly Buffer[], random: Random): Sealer {
  const sealKeys = keys.map(sealKey);
  const [currentKey] = sealKeys;
  if (currentKey === undefined) {
    throw new StoreError('store.seal_key', 'sealing needs at least one key');
  }
  return {
    seal(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', currentKey.key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(associatedData(currentKey.id, context));
      // The text is sealed as JSON, so that any string comes back as it was: UTF-8 alone cannot encode half a surrogate
      // pair.
      const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(plain), 'utf8'), cipher.final()]);
      return [currentKey.id, version, Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')].join('.');
    },

    open(sealed, context) {
      const [id, sealVersion, payload, ...extraParts] = sealed.split('.');
      const key = sealKeys.find((candidate) => candidate.id === id);
      if (key === undefined || sealVersion !== version || payload === undefined || extraParts.length > 0) {
        throw brokenError('it was not sealed by this app, or its key is not among those given');
      }
      const bytes = Buffer.from(payload, 'base64url');
      // Base64 has several encodings of the same bytes; only the one that the sealer writes counts as unchanged.
      if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== payload) {
        throw brokenError('it was changed');
      }
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(associatedData(key.id, context));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
        return JSON.parse(plain.toString('utf8')) as string;
      } catch (error) {
        throw brokenError('it was changed, or moved from where it was sealed', error);
      }
    },

    isCurrent: (sealed) => sealed.startsWith(`${currentKey.id}.${version}.`),
  };
}

function sealKey(key: Buffer) {
  if (key.length !== keyBytes) {
    throw new StoreError('store.seal_key', `a sealing key is ${keyBytes} bytes`);
  }
  return { id: createHash('sha256').update('scandesk seal key').update(key).digest('hex').slice(0, 16), key };
}

/** The data that a seal is bound to: a JSON array keeps the parts apart unambiguously. */
function associatedData(keyId: string, { purpose, installation, record }: SealContext): Buffer {
  return Buffer.from(JSON.stringify(['scandesk', version, keyId, purpose, installation, record]), 'utf8');
}

function brokenError(why: string, cause?: unknown): StoreError {
  return new StoreError('store.seal_broken', `a sealed text does not open: ${why}`, { cause });
}
