/** Public interface of validation: the result for a scan under a relay's settings, and the counters it needs. */

export * from './databases/index.js';
export { createNameCache, type NameCache } from './name-cache.js';
export {
  createPrefetch,
  type Prefetch,
  type PrefetchDeps,
  type PrefetchResult,
} from './prefetch.js';
export type {
  AnswerNames,
  KnownValue,
  Prefetched,
  Validate,
  ValidateInput,
  ValidationResult,
} from './result.js';
export { countingForValidation, createValidate, isValidated, momentOf } from './validate.js';
