/**
 * The store of results for their pages, for 24 hours, so that another page costs no call.
 * Keys include the workspace, so no workspace can read another's.
 */
import { type Owner, ownerKey } from '../../../ownership.js';
import type { SlackDeps } from '../../bolt/routing/deps.js';
import { type Result, resultShape } from './result.js';

const ttlMs = 24 * 60 * 60_000;

type Deps = Pick<SlackDeps, 'store' | 'random'>;

const records = ({ store }: Deps) => store.keyv<unknown>('result', { ttlMs });
const keyOf = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;

export async function saveResult(deps: Deps, owner: Owner, result: Result): Promise<string> {
  const id = deps.random.bytes(12).toString('base64url');
  await records(deps).set(keyOf(owner, id), result);
  return id;
}

/** Undefined if expired, or another owner's. */
export async function findResult(deps: Deps, owner: Owner, id: string): Promise<Result | undefined> {
  const found = resultShape.safeParse(await records(deps).get(keyOf(owner, id)));
  return found.success ? found.data : undefined;
}
