/** Public interface of database validation: by the mirror, and live look-ups for what it does not have. */
export { createDatabaseLookup, type DatabaseLookup, type DatabaseValidation } from './database-lookup.js';
export { createRequiredDatabases } from './required.js';
