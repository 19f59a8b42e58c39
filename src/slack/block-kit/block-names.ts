/**
 * The ids of blocks whose choices change while a window is open. Slack keeps what is chosen in a block by its id: where the
 * choices changed, a block of the same id would go on showing one that is not there any more.
 */
import { hash } from 'node:crypto';

const letters = 8;

/** `choices`: what there is to choose from, or what the fields beside it were drawn for. */
export function varyingBlock(name: string, choices: unknown): string {
  return `${name}~${hash('sha256', JSON.stringify(choices ?? null), 'base64url').slice(0, letters)}`;
}

/** The one of these blocks that has this name; as forms had it before their choices could change, or with its choices. */
export function blockNamed(ids: readonly string[], name: string): string | undefined {
  return ids.find((id) => id === name || id.startsWith(`${name}~`));
}
