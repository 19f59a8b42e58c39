/**
 * The face of the Slack room: the app that takes Slack's requests, and the poster that the relay speaks through.
 */
export { createSlack, createSlackAccess, eventsPath, type Slack, type SlackAccess } from './bolt.js';
export type { SlackClients } from './clients.js';
export type { Asker, SlackDeps } from './deps.js';
export { createPoster } from './poster.js';
export { sealedSetUps } from './relay-service/kept.js';
export { botScopes, scopesWithReasons } from './scopes.js';
