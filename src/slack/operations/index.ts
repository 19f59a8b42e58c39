/** The operations feature: an operation's declaration becomes a form, validated input, a call and an answer. */

import type { Feature } from '../bolt/routing/feature.js';
import { call } from './call-command.js';
import { operationForms } from './feature.js';
import type { Afterwards } from './types.js';

export { openOperationForm } from './form/open-form.js';
export { performChecked, performOperation, requiredRoleFor } from './perform.js';
export { shownUrl } from './redact.js';
export { picturedFile } from './result/pictures.js';
export { isPicture } from './result/result.js';
export type {
  After,
  Afterwards,
  Done,
  ModalOperationContext,
  OpenForm,
  OpenOperationForm,
  OperationContext,
  PerformOperation,
  RequiredRoleFor,
} from './types.js';

export const operations = (afterwards: Afterwards): Feature => ({
  commands: { '/scandesk': [call] },
  listeners: operationForms(afterwards),
});
