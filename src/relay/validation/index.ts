/** Public interface of validation: the result for a scan under a relay's settings, and the counters it needs. */

export * from './databases/index.js';
export { createNameCache, type KnownNames } from './name-cache.js';
export { createPrefetch, type Prefetch, type PrefetchDeps } from './prefetch.js';
export { type KnownOf, previewValidation, type ValidationPreview } from './preview.js';
export type { Prefetched, Validate, ValidationResult } from './result.js';
export { countingForValidation, createCountsAround, createValidate, type LatestScans } from './validate.js';
