/** Owns the list of everything Slack can tell of the windows in which a relay is set. */

import { SlackRoomError } from '../../bolt/errors.js';
import type { ActionContext, Handler } from '../../bolt/routing/context.js';
import type { Registry } from '../../bolt/routing/router.js';
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
import { insideOf } from './flow.js';
import { pickAction, pickKinds, settingActions, settingCallbacks } from './ids.js';
import { groupOptions, pickOptions, zonePicker } from './options.js';
import { ruleAdd, ruleMenu, ruleRemoved, rulesMatch, rulesOpen, rulesTurn } from './rules/actions.js';
import { ruleRedraw, ruleSubmitted } from './rules/rule-submit.js';
import { securityOpen, securityRedraw, securitySubmitted } from './security.js';
import { judgingOpen, judgingRedraw, judgingSubmitted } from './validation/actions.js';

/** By the form that is to be drawn again. */
const redraws: Readonly<Record<string, Handler<ActionContext>>> = {
  [settingCallbacks.judging]: judgingRedraw,
  [settingCallbacks.answer]: answerRedraw,
  [settingCallbacks.question]: questionRedraw,
  [settingCallbacks.security]: securityRedraw,
  [settingCallbacks.rule]: ruleRedraw,
};

const redraw: Handler<ActionContext> = {
  who: 'manager',
  run: async (context) => {
    const handler = redraws[insideOf(context).view.callback_id];
    if (!handler) {
      throw new SlackRoomError('slack.state', 'a form that nobody draws asked to be drawn again');
    }
    await handler.run(context);
  },
};

export function registerRelaySettings(registry: Registry): void {
  registry.action(settingActions.judging, judgingOpen);
  registry.action(settingActions.answers, answersOpen);
  registry.action(settingActions.answer, answerOpen);
  registry.action(settingActions.questionAdd, questionAdd);
  registry.action(settingActions.questionMenu, questionMenu);
  registry.action(settingActions.security, securityOpen);
  registry.action(settingActions.rules, rulesOpen);
  registry.action(settingActions.rulesBefore, rulesTurn);
  registry.action(settingActions.rulesAfter, rulesTurn);
  registry.action(settingActions.rulesMatch, rulesMatch);
  registry.action(settingActions.ruleAdd, ruleAdd);
  registry.action(settingActions.ruleMenu, ruleMenu);
  registry.action(settingActions.redraw, redraw);
  registry.action(settingActions.more, redraw);
  registry.action(settingActions.again, redraw);
  registry.view(settingCallbacks.judging, judgingSubmitted);
  registry.view(settingCallbacks.answer, answerSubmitted);
  registry.view(settingCallbacks.question, questionSubmitted);
  registry.view(settingCallbacks.security, securitySubmitted);
  registry.view(settingCallbacks.rule, ruleSubmitted);
  registry.view(settingCallbacks.ruleRemove, ruleRemoved);
  registry.options(settingActions.zone, zonePicker);
  registry.options(settingActions.group, groupOptions);
  for (const kind of pickKinds) {
    registry.options(pickAction(kind), pickOptions(kind));
  }
}
