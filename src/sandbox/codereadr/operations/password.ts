/** Passwords of app users: stored as salted scrypt hashes, compared in constant time. */
import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../../clock.js';

/** The cost of hashing, low on purpose: these passwords protect nothing but a demo. */
const scryptCost: ScryptOptions = { N: 4096, r: 8, p: 1 };

export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(16);
  return `${salt.toString('base64')}:${(await derive(password, salt)).toString('base64')}`;
}

export async function passwordFits(password: string, hash: string): Promise<boolean> {
  const [salt = '', wanted = ''] = hash.split(':').map((part) => Buffer.from(part, 'base64'));
  const derived = await derive(password, Buffer.from(salt));
  return timingSafeEqual(derived, Buffer.from(wanted));
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, scryptCost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
