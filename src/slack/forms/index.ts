/**
 * The face of the forms: an operation's declaration becomes a modal, a checked input, a call, an answer in words.
 */
export { openOperationForm } from './open.js';
export { performChecked, performOperation, whoMay } from './perform.js';
export { picturedFile } from './pictures.js';
export { registerForms } from './register.js';
export { isPicture } from './result.js';
export { shownUrl } from './told-input.js';
export type {
  After,
  Afterwards,
  Done,
  Opener,
  OpenForm,
  OpenOperationForm,
  Performer,
  PerformOperation,
  WhoMay,
} from './types.js';
