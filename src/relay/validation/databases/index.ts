/** Public interface of database validation: by the mirror, and by live lookups of values that it does not have. */
export { createDatabaseLookup, type DatabaseLookup, type DatabaseValidation } from './database-lookup.js';
export { createRequiredDatabases } from './required.js';
