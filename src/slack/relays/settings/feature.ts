/** The handlers of all relay settings modals, by action and callback id. */

import { SlackError } from '../../bolt/errors.js';
import type { ActionContext, Handler } from '../../bolt/routing/context.js';
import type { Feature } from '../../bolt/routing/feature.js';
import { action, modal, options } from '../../bolt/routing/listeners.js';
import {
  answerOpen,
  answerRerender,
  answerSubmitted,
  answersOpen,
  questionAdd,
  questionMenu,
  questionRerender,
  questionSubmitted,
} from './answers/actions.js';
import { clickedModal } from './flow.js';
import { pickAction, pickKinds, settingActions, settingCallbacks } from './ids.js';
import { groupOptions, pickOptions, zonePicker } from './options.js';
import { ruleAdd, ruleMenu, ruleRemoved, rulesMatch, rulesOpen, rulesTurn } from './rules/actions.js';
import { ruleRerender, ruleSubmitted } from './rules/rule-submit.js';
import { securityOpen, securityRerender, securitySubmitted } from './security.js';
import { validationOpen, validationRerender, validationSubmitted } from './validation/actions.js';

/** By the form to redraw. */
const redraws: Readonly<Record<string, Handler<ActionContext>>> = {
  [settingCallbacks.judging]: validationRerender,
  [settingCallbacks.answer]: answerRerender,
  [settingCallbacks.question]: questionRerender,
  [settingCallbacks.security]: securityRerender,
  [settingCallbacks.rule]: ruleRerender,
};

const redraw: Handler<ActionContext> = {
  role: 'manager',
  run: async (context) => {
    const { callback_id: id } = clickedModal(context).view;
    const handler = redraws[id];
    if (!handler) {
      throw new SlackError('slack.state', `unknown callback_id: ${id}`);
    }
    await handler.run(context);
  },
};

export const settings: Feature = {
  listeners: [
    action(settingActions.judging, validationOpen),
    action(settingActions.answers, answersOpen),
    action(settingActions.answer, answerOpen),
    action(settingActions.questionAdd, questionAdd),
    action(settingActions.questionMenu, questionMenu),
    action(settingActions.security, securityOpen),
    action(settingActions.rules, rulesOpen),
    action([settingActions.rulesBefore, settingActions.rulesAfter], rulesTurn),
    action(settingActions.rulesMatch, rulesMatch),
    action(settingActions.ruleAdd, ruleAdd),
    action(settingActions.ruleMenu, ruleMenu),
    action([settingActions.redraw, settingActions.more, settingActions.again], redraw),
    modal(settingCallbacks.judging, validationSubmitted),
    modal(settingCallbacks.answer, answerSubmitted),
    modal(settingCallbacks.question, questionSubmitted),
    modal(settingCallbacks.security, securitySubmitted),
    modal(settingCallbacks.rule, ruleSubmitted),
    modal(settingCallbacks.ruleRemove, ruleRemoved),
    ...pickKinds.map((kind) => options(pickAction(kind), pickOptions(kind))),
    options(settingActions.zone, zonePicker),
    options(settingActions.group, groupOptions),
  ],
};
