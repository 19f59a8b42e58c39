/** The handlers of all relay settings modals, by action and callback id. */

import { SlackError } from '../../bolt/errors.js';
import type { ActionContext, Handler } from '../../bolt/routing/context.js';
import type { Feature } from '../../bolt/routing/feature.js';
import {
  answerOpen,
  answerRedraw,
  answerSubmitted,
  answersOpen,
  questionAdd,
  questionMenu,
  questionRedraw,
  questionSubmitted,
} from './answers/actions.js';
import { clickedModal } from './flow.js';
import { pickAction, pickKinds, settingActions, settingCallbacks } from './ids.js';
import { groupOptions, pickOptions, zonePicker } from './options.js';
import { ruleAdd, ruleMenu, ruleRemoved, rulesMatch, rulesOpen, rulesTurn } from './rules/actions.js';
import { ruleRedraw, ruleSubmitted } from './rules/rule-submit.js';
import { securityOpen, securityRedraw, securitySubmitted } from './security.js';
import { validationOpen, validationRerender, validationSubmitted } from './validation/actions.js';

/** By the form to redraw. */
const redraws: Readonly<Record<string, Handler<ActionContext>>> = {
  [settingCallbacks.judging]: validationRerender,
  [settingCallbacks.answer]: answerRedraw,
  [settingCallbacks.question]: questionRedraw,
  [settingCallbacks.security]: securityRedraw,
  [settingCallbacks.rule]: ruleRedraw,
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
  actions: {
    [settingActions.judging]: validationOpen,
    [settingActions.answers]: answersOpen,
    [settingActions.answer]: answerOpen,
    [settingActions.questionAdd]: questionAdd,
    [settingActions.questionMenu]: questionMenu,
    [settingActions.security]: securityOpen,
    [settingActions.rules]: rulesOpen,
    [settingActions.rulesBefore]: rulesTurn,
    [settingActions.rulesAfter]: rulesTurn,
    [settingActions.rulesMatch]: rulesMatch,
    [settingActions.ruleAdd]: ruleAdd,
    [settingActions.ruleMenu]: ruleMenu,
    [settingActions.redraw]: redraw,
    [settingActions.more]: redraw,
    [settingActions.again]: redraw,
  },
  views: {
    [settingCallbacks.judging]: validationSubmitted,
    [settingCallbacks.answer]: answerSubmitted,
    [settingCallbacks.question]: questionSubmitted,
    [settingCallbacks.security]: securitySubmitted,
    [settingCallbacks.rule]: ruleSubmitted,
    [settingCallbacks.ruleRemove]: ruleRemoved,
  },
  options: {
    ...Object.fromEntries(pickKinds.map((kind) => [pickAction(kind), pickOptions(kind)])),
    [settingActions.zone]: zonePicker,
    [settingActions.group]: groupOptions,
  },
};
