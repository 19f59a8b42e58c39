/** The operations feature: an operation's declaration becomes a form, validated input, a call and an answer. */
import type { Feature } from '../bolt/routing/feature.js';
import { call } from './call-command.js';
import { confirmSubmitted } from './delete/confirm.js';
import { itemChosen } from './form/choose-item.js';
import { uploadConfirmed } from './form/confirm-upload.js';
import { pickOptions, zonePicker } from './form/picker-options.js';
import { unfoldGroup } from './form/redraw.js';
import { listedKinds } from './form/resources.js';
import { formSubmitted } from './form/submit-form.js';
import { pageTurned } from './result/pages.js';
import type { Afterwards } from './types.js';

export { openOperationForm } from './form/open-form.js';
export { performOperation, requiredRoleFor } from './perform.js';
export { picturedFile } from './result/pictures.js';
export { isPicture } from './result/result.js';
export type { Afterwards, OperationContext } from './types.js';

export const operations = (afterSteps: Afterwards): Feature => ({
  commands: { '/scandesk': [call] },
  listeners: [
    pageTurned,
    unfoldGroup,
    itemChosen,
    formSubmitted('form.read', 'everyone', afterSteps),
    formSubmitted('form.change', 'manager', afterSteps),
    confirmSubmitted(afterSteps),
    uploadConfirmed(afterSteps),
    ...listedKinds.map(pickOptions),
    zonePicker,
  ],
});
