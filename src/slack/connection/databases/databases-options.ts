/** Options of the database picker: databases not chosen yet, by name. */

import { z } from 'zod';
import { option } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { databaseNotes } from '../../bolt/ids.js';
import { options } from '../../bolt/routing/listeners.js';
import { accountOf } from '../connection.js';
import { searchedIds } from './databases-view.js';

const asked = z.object({ view: z.object({ private_metadata: z.string() }) });

export const databaseOptions = options('connect.database.add', {
  role: 'manager',
  async offer({ deps, actor, typed, body }) {
    const notes = databaseNotes.read(asked.parse(body).view.private_metadata);
    const databases = await (await accountOf(deps, actor.owner)).names.databases();
    const already = searchedIds(databases, notes);
    return databases
      .filter((database) => !already.includes(database.id))
      .filter((database) => database.name.toLowerCase().includes(typed.toLowerCase()))
      .map((database) => option(settled(database.name), database.id));
  },
});
