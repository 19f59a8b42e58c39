/** People in a workspace that is connected already, and what stands in the account behind Scandesk's back. */
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { openStore } from '../../src/store/index.js';
import { accountKey, type Person, type Room } from './room.js';

/** Ada connects the account and keeps every database. */
export async function connect(ada: Person): Promise<void> {
  await ada.say('/scandesk connect');
  const form = await ada.seesWindow('Connect an account');
  await ada.submit(form, { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } });
  await ada.submit(await ada.seesWindow('Databases to ask'));
  await ada.close(await ada.seesWindow('Saved'));
}

/** Ada names a person who may change things. */
export async function nameManager(ada: Person, userId: string): Promise<void> {
  await ada.say('/scandesk access');
  const form = await ada.seesWindow('Who may change things');
  await ada.submit(form, {
    users: { 'access.users': { type: 'multi_users_select', selected_users: [userId] } },
  });
  await ada.close(await ada.seesWindow('Saved'));
}

export async function closeAll(person: Person): Promise<void> {
  for (let view = await person.window(); view; view = await person.window()) {
    await person.close(view);
  }
}

/** Somebody else asks the account: the answer's XML. */
export async function askAccount(
  room: Pick<Room, 'accountUrl'>,
  section: string,
  action: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(`${room.accountUrl}/api/`, {
    method: 'POST',
    body: new URLSearchParams({ section, action, api_key: accountKey, ...variables }),
  });
  return answer.text();
}

/** What a database holds of a value: validity and response as the XML has them. */
export async function inAccount(
  room: Pick<Room, 'accountUrl'>,
  databaseId: string,
  value: string,
): Promise<{ valid: boolean; response: string } | undefined> {
  const xml = await askAccount(room, 'databases', 'showvalues', { database_id: databaseId, value });
  const found = /<value validity="([01])">.*?<response>(.*?)<\/response>/s.exec(
    xml.replace('<response/>', '<response></response>'),
  );
  return found ? { valid: found[1] === '1', response: found[2]! } : undefined;
}

/** Ids of the sample's databases. */
export async function databaseIds(room: Pick<Room, 'accountUrl'>): Promise<Readonly<Record<string, string>>> {
  const xml = await askAccount(room, 'databases', 'retrieve');
  return Object.fromEntries(
    [...xml.matchAll(/<database id="(\d+)"><name>([^<]*)</g)].map(([, id, name]) => [name!, id!]),
  );
}

/** What is on record, newest first. */
export async function onRecord(room: Pick<Room, 'databaseFile'>) {
  const store = await openStore({
    url: `file:${room.databaseFile}`,
    secretKeys: [Buffer.alloc(32, 7)],
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  });
  try {
    return await store.audit.list({ installation: 'T0SANDBOX1', team: 'T0SANDBOX1' }, { limit: 500 });
  } finally {
    await store.close();
  }
}
