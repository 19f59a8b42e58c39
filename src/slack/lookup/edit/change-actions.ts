/** Handlers for a card's edit controls: mark valid or invalid, edit the response, add to a database, undo. */

import { databases } from '../../../codereadr/operations/index.js';
import { SlackError } from '../../bolt/errors.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import { action } from '../../bolt/routing/listeners.js';
import { openOperationForm } from '../../operations/index.js';
import { knownIn } from '../card/card-changes.js';
import { addedMetadata, type ChangeChoice, changeMetadata, editMetadata } from '../card/card-metadata.js';
import type { Card } from '../record-store.js';
import { cardMetadata } from '../service.js';
import { type Editable, editTitle, editView } from './edit-response-view.js';
import { changeValue, undoChange } from './edit-value.js';
import { byClickUrl, updateCard } from './update-card.js';

/** A choice in the card's menu, or its one button. */
export const lookupChange = action(['lookup.change', 'lookup.add'], {
  role: 'manager',
  modalTitle: ({ action }) => titles[choiceIn(action).to],
  async run(context) {
    const { deps, actor, action } = context;
    const choice = choiceIn(action);
    const card = await deps.lookups.storedCard(actor.owner, choice.card);
    switch (choice.to) {
      case 'edit':
        return openEdit(context, choice, card);
      case 'add':
        return openAdd(context, choice, card);
      default:
        return mark(context, choice, card);
    }
  },
});

function choiceIn(action: ActionContext['action']): ChangeChoice {
  return changeMetadata.read(action.type === 'overflow' ? action.selected_option.value : carried(action));
}

/** Choices that open a modal. */
const titles: Readonly<Partial<Record<ChangeChoice['to'], string>>> = {
  edit: editTitle,
  add: databases.addvalue.title,
};

async function mark(context: ActionContext, { card: id, database, to }: ChangeChoice, card: Card): Promise<void> {
  const finding = knownIn(card.lookup).find((each) => each.database.id === database);
  if (!finding) {
    throw new SlackError('slack.state', `no such barcode in database ${database}`);
  }
  const { value, valid, response } = finding;
  const wanted = {
    database: finding.database,
    value,
    shown: { valid, response },
    wish: { valid: to === 'valid' },
  };
  await context.deps.lookups.whileIdle(context.actor.owner, id, async () => {
    const changed = await changeValue(context, card, wanted);
    await updateCard(context, changed.card, byClickUrl(context));
  });
}

async function openEdit(context: ActionContext, { card: id }: ChangeChoice, { lookup }: Card): Promise<void> {
  const known: readonly Editable[] = knownIn(lookup);
  const [first] = known;
  if (!first) {
    throw new SlackError('slack.state', `no database holds the barcode of card ${id}`);
  }
  await context.modal.fill(editTitle, async () => {
    const metadata = { ...(await origin(context)), card: id, database: first.database.id };
    return editView({ known, metadata: metadata });
  });
}

async function openAdd(context: ActionContext, { card: id }: ChangeChoice, { lookup }: Card): Promise<void> {
  const absent = lookup.findings.filter((finding) => finding.kind === 'unknown');
  const [only] = absent.length === 1 && lookup.notAsked?.length === 0 ? absent : [];
  const { place } = await origin(context);
  await openOperationForm(context, {
    operation: databases.addvalue,
    prefill: { value: lookup.value, ...(only ? { database_id: only.database.id } : {}) },
    locked: ['value'],
    after: {
      name: 'lookup.added',
      value: addedMetadata.write({ card: id, ...(place === undefined ? {} : { place }) }),
    },
  });
}

/** The channel, and where the card can be updated once the modal is submitted. */
async function origin({ deps, actor, body }: ActionContext): Promise<{ channel?: string; place?: string }> {
  const url = body.response_url;
  const place = url ? await deps.responseUrls.save(actor.owner, url) : undefined;
  return {
    ...(actor.channelId === undefined ? {} : { channel: actor.channelId }),
    ...(place === undefined ? {} : { place }),
  };
}

export const lookupUndo = action('lookup.undo', {
  role: 'manager',
  async run(context) {
    const { deps, actor, action } = context;
    const { kept: id } = cardMetadata.read(carried(action));
    if (id === undefined) {
      throw new SlackError('slack.state', 'undo button without a stored card id');
    }
    const card = await deps.lookups.storedCard(actor.owner, id);
    await deps.lookups.whileIdle(actor.owner, id, async () => {
      const undone = await undoChange(context, card);
      await updateCard(context, undone.card, byClickUrl(context));
    });
  },
});

/** Another database was chosen: its response fills the inputs. */
export const editDatabase = action('lookup.edit.database', {
  role: 'manager',
  async run({ deps, actor, inside, action }) {
    if (!inside || action.type !== 'static_select') {
      throw new SlackError('slack.state', 'database choice outside a modal');
    }
    const metadata = editMetadata.read(inside.view.private_metadata);
    const { lookup } = await deps.lookups.storedCard(actor.owner, metadata.card);
    const known = knownIn(lookup);
    const chosen = known[Number(action.selected_option.value)];
    if (!chosen) {
      throw new SlackError('slack.state', `unknown database option: ${action.selected_option.value}`);
    }
    await inside.show(editView({ known, metadata: { ...metadata, database: chosen.database.id } }));
  },
});

function carried(action: ActionContext['action']): string | undefined {
  return 'value' in action ? action.value : undefined;
}
