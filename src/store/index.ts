/**
 * The face of the store: how it is opened, what it is, what can go wrong in it.
 */
export { isStorableText } from './edge.js';
export { StoreError, type StoreErrorCode } from './errors.js';
export { createIds, leastId, type MakeId } from './ids.js';
export type { Schema } from './schema.js';
export { createSealer } from './secrets.js';
export { openStore, type StoreOptions } from './store.js';
export type * from './types.js';
