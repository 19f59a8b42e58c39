/** The public interface of `slack/`: the app that takes Slack's requests, the publisher of posts, and parts of both. */
export { createSlack, createSlackAccess, eventsPath, type SlackAccess } from './app.js';
export type { SlackClients } from './bolt/clients.js';
export { createPermissions } from './bolt/people/permissions.js';
export type { Actor as Asker, SlackDeps } from './bolt/routing/deps.js';
export { createExportFiles } from './export/files.js';
export { createExportRows } from './export/rows.js';
export { erasedNotice, erasedNoticeMaker } from './forget/erased-notice.js';
export { eraseRecords } from './forget/records.js';
export type { SlackState } from './install/slack-check.js';
export { createPublisher } from './posts/slack-publisher.js';
export { sealedSetUps } from './relays/setup/record-store.js';
export { reportDeps } from './reports/index.js';
