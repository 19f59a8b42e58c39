/** The listeners of all relay settings modals. */
import { SlackError } from '../../bolt/errors.js';
import type { Feature } from '../../bolt/routing/feature.js';
import { action } from '../../bolt/routing/listeners.js';
import { answerRerender, answersListeners, questionRerender } from './answers/actions.js';
import { type FormRerender, rerenderSpec } from './flow.js';
import { pickerOptions } from './inputs/picker-options.js';
import { rulesListeners } from './rules/actions.js';
import { ruleFormListeners, ruleRerender } from './rules/rule-submit.js';
import { securityOpen, securityRerender, securitySubmitted } from './security/actions.js';
import { validationOpen, validationRerender, validationSubmitted } from './validation/actions.js';

/** The functions that redraw each form, by its callback_id. */
const rerenders: Readonly<Record<string, FormRerender>> = {
  'relay.judging': validationRerender,
  'relay.answer': answerRerender,
  'relay.question': questionRerender,
  'relay.security': securityRerender,
  'relay.rule': ruleRerender,
};

const rerenderForm: FormRerender = (context, view) => {
  const rerender = rerenders[view.callback_id];
  if (!rerender) {
    throw new SlackError('slack.state', `unknown callback_id: ${view.callback_id}`);
  }
  return rerender(context, view);
};

export const settings: Feature = {
  listeners: [
    action('relay.judging', validationOpen),
    action('relay.security', securityOpen),
    action(['relay.redraw', 'relay.more', 'relay.again', 'relay.preview.span'], rerenderSpec(rerenderForm)),
    validationSubmitted,
    securitySubmitted,
    ...answersListeners,
    ...rulesListeners,
    ...ruleFormListeners,
    ...pickerOptions,
  ],
};
