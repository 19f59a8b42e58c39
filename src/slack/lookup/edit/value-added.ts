/** The step after *Add to database*: the card shows the addition, which it offers to undo. */
import { z } from 'zod';
import { decode } from '../../bolt/metadata.js';
import { accountOf } from '../../connection/account.js';
import type { Afterwards } from '../../operations/index.js';
import { storedCard } from '../record-store.js';
import { changedView } from './changed-view.js';
import { addedValue } from './edit-value.js';
import { byStoredUrl, updateCard } from './update-card.js';

/** The data that the *Add to database* form carries. `place`: the id of the card's stored response URL. */
export const addedData = z.object({ card: z.string(), place: z.string().optional() });

export const cardAdded: Afterwards[string] = async (context, { operation, input, notice }, carriedData) => {
  const { deps, actor } = context;
  const { card: id, place } = decode(addedData, carriedData, 'lookup.added');
  const card = await storedCard(deps, actor.owner, id);
  const databaseId = String(input.database_id);
  const newCard = await addedValue(context, card, {
    database: { id: databaseId, name: await nameOf() },
    value: String(input.value),
    after: { valid: input.validity !== false, response: typeof input.response === 'string' ? input.response : '' },
  });
  await updateCard(context, newCard, byStoredUrl(context, place));
  return changedView(operation.title, notice, newCard, deps.clock.now());

  async function nameOf(): Promise<string> {
    const { findings, notAsked = [] } = card.lookup;
    const named = [...findings.map(({ database }) => database), ...notAsked].find((each) => each.id === databaseId);
    const listed = named ? [] : await (await accountOf(deps, actor.owner)).names.cached('databases');
    return named?.name ?? listed?.find((each) => each.id === databaseId)?.name ?? databaseId;
  }
};
