/** Handlers for the clicks in a relay's list of rules: order, on and off, remove, and which matching rules post. */
import type { RelaySettings, Rule } from '../../../../relay/index.js';
import type { ActionContext, Handler, ViewHandler } from '../../../bolt/routing/context.js';
import { withOrigin } from '../../../bolt/routing/origin.js';
import { cachedRuleNames } from '../../../connection/cached-names.js';
import { relayOf } from '../../load-views.js';
import {
  buttonValue,
  chosenValue,
  clickedModal,
  pushing,
  refreshRelay,
  rerendering,
  saved,
  showBelow,
} from '../flow.js';
import { ruleMetadata, rulesMetadata } from '../ids.js';
import { type Change, changeSettings } from '../save.js';
import { ruleFormModal } from './load-rule-form.js';
import { rulesModal } from './load-rules.js';
import { ruleRemoveView } from './rules-view.js';

export const rulesOpen = pushing('Rules', (context, relay) => rulesModal(context, relay));

export const rulesTurn = rerendering((context, view) => {
  const { relay } = rulesMetadata.read(view.private_metadata);
  return rulesModal(context, relay, { page: Number(buttonValue(context)) || 0 });
});

export const rulesMatch = rerendering(async (context, view) => {
  const { relay, page } = rulesMetadata.read(view.private_metadata);
  const match: RelaySettings['match'] = chosenValue(context) === 'all' ? 'all' : 'first';
  await changeSettings(context, relay, 'relay/rules', (settings) => ({ ...settings, match }));
  await refreshRelay(context, view, relay);
  return rulesModal(context, relay, { page, done: saved });
});

export const ruleAdd: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: 'New rule',
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay, page } = rulesMetadata.read(clickedModal(context).view.private_metadata);
    await context.modal.fill('New rule', () => ruleFormModal(context, { relay, page }));
  },
};

/** Choices that open a modal. */
const titles: Readonly<Record<string, string>> = { change: 'Edit rule', remove: 'Delete this rule?' };

/** Choices applied at once, with their notice. */
const moves: Readonly<
  Record<string, readonly [move: (rules: readonly Rule[], at: number) => readonly Rule[], done: string]>
> = {
  up: [(rules, at) => rules.toSpliced(at, 1).toSpliced(Math.max(0, at - 1), 0, rules[at]!), 'Moved up.'],
  down: [(rules, at) => rules.toSpliced(at, 1).toSpliced(at + 1, 0, rules[at]!), 'Moved down.'],
  on: [(rules, at) => rules.with(at, { ...rules[at]!, on: true }), 'Turned on.'],
  off: [(rules, at) => rules.with(at, { ...rules[at]!, on: false }), 'Turned off.'],
};

export const ruleMenu: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: (context) => titles[chosenValue(context).split(':')[0] ?? ''],
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const inside = clickedModal(context);
    const { relay, page } = rulesMetadata.read(inside.view.private_metadata);
    const [, what = '', id = ''] = /^(\w+):(.+)$/.exec(chosenValue(context)) ?? [];
    const found = (await relayOf(context, relay)).relay.settings.rules.find((rule) => rule.id === id);
    if (!found) {
      await inside.show(await rulesModal(context, relay, { page, problem: 'That rule was already deleted.' }));
      return;
    }
    const move = moves[what];
    if (move) {
      await changeSettings(context, relay, 'relay/rules', changing(id, move[0]));
      await inside.show(await rulesModal(context, relay, { page, done: move[1] }));
      await refreshRelay(context, inside.view, relay);
    } else if (what === 'remove') {
      const metadata = ruleMetadata.write({ channel: context.actor.channelId, relay, id, page });
      await context.modal.show(ruleRemoveView(found, metadata, await cachedRuleNames(context, [found])));
    } else {
      await context.modal.fill('Edit rule', () => ruleFormModal(context, { relay, id, page }));
    }
  },
};

/** Changes nothing if the rule is gone meanwhile. */
function changing(id: string, change: (rules: readonly Rule[], at: number) => readonly Rule[]): Change {
  return (settings) => {
    const at = settings.rules.findIndex((rule) => rule.id === id);
    return at < 0 ? settings : { ...settings, rules: [...change(settings.rules, at)] };
  };
}

interface Removed {
  readonly relay: string;
  readonly id: string | undefined;
  readonly page: number | undefined;
}

export const ruleRemoved: ViewHandler<Removed> = {
  role: 'manager',
  fields({ view }) {
    const { relay, id, page } = ruleMetadata.read(view.private_metadata);
    return { close: 'this', input: { relay, id, page } };
  },
  async run(context, { relay, id, page }) {
    await changeSettings(context, relay, 'relay/rules', (settings) => ({
      ...settings,
      rules: settings.rules.filter((rule) => rule.id !== id),
    }));
    const done = 'Rule deleted.';
    await showBelow(context, () => rulesModal(context, relay, { page, done }), done);
    await refreshRelay(context, context.view, relay);
  },
};
