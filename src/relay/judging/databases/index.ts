/** The face of the account's databases, as relays judge by them: kept copies, and the account where they do not know. */
export { type Copies, type CopiesDeps, type CopyState, type CopyTimes, createCopies } from './copies.js';
export { createKnowledge, type DatabaseJudging, type Knowledge, type KnowledgeDeps, type Told } from './knowledge.js';
