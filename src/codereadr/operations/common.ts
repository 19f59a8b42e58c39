/** Parts shared by several sections' declarations. */
import type { ReferenceKind } from './operation.js';

/** API codes with which any call may be answered. */
export const commonErrors = ['2', '10', '50', '100', '101', '102', '103', '110', '111', '113', '120'] as const;

/** A filter over resources of the account: `all`, or some ids. */
export function filterBy<const K extends ReferenceKind>(kind: K, description: string) {
  return { type: 'ids', of: kind, all: true, default: 'all', description } as const;
}

/** The parameters of a page: how many to return, and how many to skip. */
export const paging = {
  limit: { type: 'integer', min: 1, description: 'The most results to return.', group: 'Paging' },
  offset: {
    type: 'integer',
    min: 0,
    requires: ['limit'],
    description: 'How many results to skip first. Requires a limit.',
    group: 'Paging',
    advanced: true,
  },
} as const;
