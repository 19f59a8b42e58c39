/**
 * Ids of blocks whose options change while a modal is open.
 * Slack keeps a choice by block_id: under the same id it would go on showing an option that is gone.
 */
import { hash } from 'node:crypto';

const letters = 8;

/** `choices`: the options, or the input the block was drawn for. */
export function varyingBlock(name: string, choices: unknown): string {
  return `${name}~${hash('sha256', JSON.stringify(choices ?? null), 'base64url').slice(0, letters)}`;
}

/** Finds a block by its name, with or without the suffix of its options: older forms had none. */
export function blockNamed(ids: readonly string[], name: string): string | undefined {
  return ids.find((id) => id === name || id.startsWith(`${name}~`));
}
