/** Handlers for a card's edit controls: mark valid or not valid, edit the response, add to a database, undo. */
import { z } from 'zod';
import { databases } from '../../../codereadr/operations/index.js';
import { SlackError } from '../../bolt/errors.js';
import { encode } from '../../bolt/metadata.js';
import type { ActionContext } from '../../bolt/routing/context.js';
import { action } from '../../bolt/routing/listeners.js';
import { openOperationForm } from '../../operations/index.js';
import { cardData } from '../card/card.js';
import { type ChangeChoice, changeData, knownIn } from '../card/card-changes.js';
import { type Card, storedCard } from '../record-store.js';
import { type Editable, editMetadata, editTitle, editView } from './edit-response-view.js';
import { changeValue, undoChange } from './edit-value.js';
import { byClickUrl, updateCard } from './update-card.js';
import { addedData } from './value-added.js';
import { walkUpTitle, walkUpView } from './walk-up.js';

/** A choice in the card's menu, or a button that adds the barcode. */
export const lookupChange = action(['lookup.change', 'lookup.add', 'lookup.walk_up'], {
  role: 'manager',
  data: changeData,
  modalTitle: ({ data }) => titles[data.to],
  async run(context) {
    const { deps, actor, data: choice } = context;
    const card = await storedCard(deps, actor.owner, choice.card);
    switch (choice.to) {
      case 'edit':
        return openEdit(context, choice, card);
      case 'add':
        return openAdd(context, choice, card);
      case 'walk_up':
        return openWalkUp(context, choice, card);
      default:
        return markValue(context, choice, card);
    }
  },
});

/** The titles of modals, for the choices that open one. */
const titles: Readonly<Partial<Record<ChangeChoice['to'], string>>> = {
  edit: editTitle,
  add: databases.addvalue.title,
  walk_up: walkUpTitle,
};

async function markValue(context: ActionContext, { card: id, database, to }: ChangeChoice, card: Card): Promise<void> {
  const finding = knownIn(card.lookup).find((each) => each.database.id === database);
  if (!finding) {
    throw new SlackError('slack.state', `no such barcode in database ${database}`);
  }
  const { value, valid, response } = finding;
  const edit = {
    database: finding.database,
    value,
    shown: { valid, response },
    wish: { valid: to === 'valid' },
  };
  await context.deps.whileIdle(context.actor.owner, id, async () => {
    const changed = await changeValue(context, card, edit);
    await updateCard(context, changed.card, byClickUrl(context));
  });
}

async function openEdit(context: ActionContext, { card: id }: ChangeChoice, { lookup }: Card): Promise<void> {
  const knownDatabases: readonly Editable[] = knownIn(lookup);
  const [first] = knownDatabases;
  if (!first) {
    throw new SlackError('slack.state', `no database holds the barcode of card ${id}`);
  }
  await context.modal.fill(editTitle, async () => {
    const metadata = { ...(await origin(context)), card: id, database: first.database.id };
    return editView({ known: knownDatabases, metadata });
  });
}

async function openWalkUp(context: ActionContext, { card: id }: ChangeChoice, card: Card): Promise<void> {
  await context.modal.fill(walkUpTitle, async () =>
    walkUpView(context, card, { ...(await origin(context)), card: id }),
  );
}

async function openAdd(context: ActionContext, { card: id }: ChangeChoice, { lookup }: Card): Promise<void> {
  const absent = lookup.findings.filter((finding) => finding.kind === 'unknown');
  const [onlyAbsent] = absent.length === 1 && lookup.notAsked?.length === 0 ? absent : [];
  const { place } = await origin(context);
  await openOperationForm(context, {
    operation: databases.addvalue,
    prefill: { value: lookup.value, ...(onlyAbsent ? { database_id: onlyAbsent.database.id } : {}) },
    locked: ['value'],
    after: { name: 'lookup.added', value: encode(addedData, { card: id, place }) },
  });
}

/** The form's origin: the channel, and the stored URL by which the card can be updated once the modal is submitted. */
async function origin({ deps, actor, body }: ActionContext) {
  const url = body.response_url;
  return { channel: actor.channelId, place: url ? await deps.responseUrls.save(actor.owner, url) : undefined };
}

export const lookupUndo = action('lookup.undo', {
  role: 'manager',
  data: cardData.required({ kept: true }),
  async run(context) {
    const { deps, actor, data } = context;
    const card = await storedCard(deps, actor.owner, data.kept);
    await deps.whileIdle(actor.owner, data.kept, async () => {
      const undone = await undoChange(context, card);
      await updateCard(context, undone.card, byClickUrl(context));
    });
  },
});

/** Redraws the form for another chosen database, whose response fills the inputs. */
export const editDatabase = action('lookup.edit.database', {
  role: 'manager',
  data: z.string(),
  metadata: editMetadata,
  async run({ deps, actor, modal, data, metadata }) {
    const { lookup } = await storedCard(deps, actor.owner, metadata.card);
    const known = knownIn(lookup);
    const chosenFinding = known[Number(data)];
    if (!chosenFinding) {
      throw new SlackError('slack.state', `unknown database option: ${data}`);
    }
    await modal.show(editView({ known, metadata: { ...metadata, database: chosenFinding.database.id } }));
  },
});
