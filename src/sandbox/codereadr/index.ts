/** The public interface of the embedded account service. */
export type * from './api.js';
export { sampleKeys, samplePassword } from './sample/fill.js';
export { type AccountService, type AccountServiceOptions, createAccountService } from './service.js';
