/** Fixtures with a connected account, and direct access to the account that bypasses Scandesk. */
import { read } from './block-kit/reading.js';
import { auditOf } from './operations/filling.js';
import { accountKey, eventually, type Person, type TestApp } from './test-app.js';

/** Ada connects the account with every database. */
export async function connect(ada: Person): Promise<void> {
  await ada.say('/scandesk connect');
  const form = await ada.seesWindow('Connect account');
  await ada.submit(form, { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } });
  await ada.submit(await ada.seesForm('connect.databases'));
  await ada.close(await ada.seesForm('connection'));
}

/** Ada grants a person the right to make changes. */
export async function nameManager(ada: Person, userId: string): Promise<void> {
  await ada.say('/scandesk access');
  const form = await ada.seesWindow('Manage access');
  await ada.submit(form, {
    users: { 'access.users': { type: 'multi_users_select', selected_users: [userId] } },
  });
  await ada.close(await ada.seesWindow('Manage access'));
}

/** Calls the account directly, bypassing Scandesk; resolves with the XML. */
export async function askAccount(
  testApp: Pick<TestApp, 'accountUrl'>,
  section: string,
  action: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(`${testApp.accountUrl}/api/`, {
    method: 'POST',
    body: new URLSearchParams({ section, action, api_key: accountKey, ...variables }),
  });
  return answer.text();
}

/** The entry of a value in a database. */
export async function inAccount(
  testApp: Pick<TestApp, 'accountUrl'>,
  databaseId: string,
  value: string,
): Promise<{ valid: boolean; response: string } | undefined> {
  const xml = await askAccount(testApp, 'databases', 'showvalues', { database_id: databaseId, value });
  const found = /<value validity="([01])">.*?<response>(.*?)<\/response>/s.exec(
    xml.replace('<response/>', '<response></response>'),
  );
  return found ? { valid: found[1] === '1', response: decoded(found[2]!) } : undefined;
}

function decoded(xml: string): string {
  const letters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => letters[name]!);
}

/** The ids of the sample databases. */
export async function databaseIds(testApp: Pick<TestApp, 'accountUrl'>): Promise<Readonly<Record<string, string>>> {
  const xml = await askAccount(testApp, 'databases', 'retrieve');
  return Object.fromEntries(
    [...xml.matchAll(/<database id="(\d+)"><name>([^<]*)</g)].map(([, id, name]) => [name!, id!]),
  );
}

/** Resolves once the account's scans are copied: a search for all of them says since when they are kept. */
export async function untilCopied(person: Person): Promise<void> {
  const answer = async () => read((await person.command('/scans since 2020-01-01')).blocks as never);
  await eventually(async () => (await answer()).includes('account’s scans are kept since'), 'a copy', 60_000);
}

/** The audit log, newest first. */
export async function onRecord(testApp: TestApp) {
  return (await auditOf(testApp)).toReversed();
}

/** The number of account calls that the work made; measuring costs two calls itself. */
export async function callsSpent(testApp: TestApp, work: () => Promise<unknown>): Promise<number> {
  const left = async () => Number(/<day left="(\d+)"/.exec(await askAccount(testApp, 'limits', 'retrieve'))?.[1]);
  const before = await left();
  await work();
  return before - (await left()) - 1;
}
