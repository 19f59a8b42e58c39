/** Listeners of a relay's list of rules: adding, editing, order, on and off, removal, and which matching rules post. */
import { z } from 'zod';
import type { RelaySettings, Rule } from '../../../../relay/index.js';
import { encode } from '../../../bolt/metadata.js';
import { action, type Listener, modal, opener } from '../../../bolt/routing/listeners.js';
import { showBelow } from '../../../bolt/routing/modal-below.js';
import { cachedRuleNames } from '../../../connection/cached-names.js';
import { relayOf } from '../../load-views.js';
import { pushedModal, refreshRelay, saved } from '../flow.js';
import { type Change, changeSettings } from '../save.js';
import { rulesModal } from './load-rules.js';
import { rule } from './rule.js';
import { ruleRemoveMetadata } from './rule-form.js';
import { ruleRemoveView, rulesMetadata, rulesTitle } from './rules-view.js';

const rulesOpen = pushedModal(rulesTitle, (context, relay) => rulesModal(context, relay));

/** Turns the page of the list: the buttons' values are pages. */
const rulesTurn = action(['relay.rules.before', 'relay.rules.after'], {
  role: 'manager',
  data: z.number(),
  metadata: rulesMetadata,
  run: (context) =>
    context.deps.rerenders.draw(context, () => rulesModal(context, context.metadata.relay, { page: context.data })),
});

const rulesMatch = action('relay.rules.match', {
  role: 'manager',
  data: z.string(),
  metadata: rulesMetadata,
  run: (context) =>
    context.deps.rerenders.draw(context, async () => {
      const { relay, page } = context.metadata;
      const match: RelaySettings['match'] = context.data === 'all' ? 'all' : 'first';
      await changeSettings(context, relay, 'relay/rules', (settings) => ({ ...settings, match }));
      await refreshRelay(context, context.inside.view, relay);
      return rulesModal(context, relay, { page, done: saved });
    }),
});

const ruleAdd = opener('relay.rule.add', {
  role: 'manager',
  metadata: rulesMetadata,
  modalTitle: 'New rule',
  push: true,
  view: (context) => rule.open(context, { relay: context.metadata.relay, page: context.metadata.page }),
});

/** The titles of modals, for the choices that open one. */
const modalTitles: Readonly<Record<string, string>> = { change: 'Edit rule', remove: 'Delete this rule?' };

/** The choices that change the rules at once, with their notice. */
const listChanges: Readonly<
  Record<string, readonly [change: (rules: readonly Rule[], at: number) => readonly Rule[], done: string]>
> = {
  up: [(rules, at) => rules.toSpliced(at, 1).toSpliced(Math.max(0, at - 1), 0, rules[at]!), 'Moved up.'],
  down: [(rules, at) => rules.toSpliced(at, 1).toSpliced(at + 1, 0, rules[at]!), 'Moved down.'],
  on: [(rules, at) => rules.with(at, { ...rules[at]!, on: true }), 'Turned on.'],
  off: [(rules, at) => rules.with(at, { ...rules[at]!, on: false }), 'Turned off.'],
};

const ruleMenu = action('relay.rule.menu', {
  role: 'manager',
  data: z.string(),
  metadata: rulesMetadata,
  modalTitle: ({ data }) => modalTitles[data.split(':')[0] ?? ''],
  push: true,
  run: async (context) => {
    const {
      inside,
      metadata: { relay, page },
    } = context;
    const [, verb = '', id = ''] = /^(\w+):(.+)$/.exec(context.data) ?? [];
    const currentRelay = (await relayOf(context, relay)).relay;
    const chosenRule = currentRelay.settings.rules.find(({ id: each }) => each === id);
    if (!chosenRule) {
      await inside.show(await rulesModal(context, relay, { page, problem: 'That rule was already deleted.' }));
      return;
    }
    const listChange = listChanges[verb];
    if (listChange) {
      await changeSettings(context, relay, 'relay/rules', rulesChange(id, listChange[0]));
      await inside.show(await rulesModal(context, relay, { page, done: listChange[1] }));
      await refreshRelay(context, inside.view, relay);
    } else if (verb === 'remove') {
      const metadata = encode(ruleRemoveMetadata, { channel: context.actor.channelId, relay, id, page });
      await context.modal.show(
        ruleRemoveView(chosenRule, currentRelay, metadata, await cachedRuleNames(context, [chosenRule])),
      );
    } else {
      await context.modal.fill('Edit rule', () => rule.open(context, { relay, id, page }));
    }
  },
});

/** A change of the rule list, which changes nothing if the rule is gone meanwhile. */
function rulesChange(id: string, change: (rules: readonly Rule[], at: number) => readonly Rule[]): Change {
  return (settings) => {
    const at = settings.rules.findIndex(({ id: each }) => each === id);
    return at < 0 ? settings : { ...settings, rules: [...change(settings.rules, at)] };
  };
}

const ruleRemoved = modal('relay.rule.remove', {
  role: 'manager',
  metadata: ruleRemoveMetadata,
  fields: () => ({ close: 'this', input: undefined }),
  async run(context) {
    const { relay, id, page } = context.metadata;
    await changeSettings(context, relay, 'relay/rules', (settings) => ({
      ...settings,
      rules: settings.rules.filter(({ id: each }) => each !== id),
    }));
    const done = 'Rule deleted.';
    await showBelow(context, () => rulesModal(context, relay, { page, done }), done);
    await refreshRelay(context, context.view, relay);
  },
});

export const rulesListeners: readonly Listener[] = [
  ...[action('relay.rules', rulesOpen), rulesTurn, rulesMatch],
  ...[ruleAdd, ruleMenu, ruleRemoved],
];
