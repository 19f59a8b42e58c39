/** The listeners of all relay settings modals. */
import type { Feature } from '../../bolt/routing/feature.js';
import { action } from '../../bolt/routing/listeners.js';
import { moreAction, redraws } from '../../forms/settings-form.js';
import { answersListeners } from './answers/actions.js';
import { answer } from './answers/answer.js';
import { question } from './answers/question.js';
import { pushedModal } from './flow.js';
import { pickerOptions } from './inputs/picker-options.js';
import { rulesListeners } from './rules/actions.js';
import { rule, ruleFormListeners } from './rules/rule.js';
import { security } from './security.js';
import { validation } from './validation/validation.js';

const forms = [validation, answer, question, security, rule];

export const settings: Feature = {
  listeners: [
    action(
      'relay.judging',
      pushedModal('Validation', (context, relay) => validation.open(context, { relay })),
    ),
    action(
      'relay.security',
      pushedModal('Security', (context, relay) => security.open(context, { relay })),
    ),
    redraws(['relay.redraw', moreAction, 'relay.again', 'relay.preview.span'], forms),
    ...forms.map(({ submitted }) => submitted),
    ...answersListeners,
    ...rulesListeners,
    ...ruleFormListeners,
    ...pickerOptions,
  ],
};
