/** Posts: messages that Scandesk sends by itself, from the outbox to their channel. Independent of Slack. */
export type { Delivery } from './dispatcher.js';
export type { PostMaker } from './maker.js';
export {
  createNoticeJobs,
  createNotices,
  type DueNotice,
  type FindDueNotices,
  type Notice,
  type NoticeJobs,
  type Notices,
} from './notices.js';
export { type CallBudgets, createCallBudgets } from './outbox/call-budgets.js';
export type { OutboxPost } from './outbox/post.js';
export { createReceipts, type Receipts } from './outbox/receipts.js';
export type {
  AnyPost,
  EditOutcome,
  FindOutcome,
  NoticePost,
  PostOutcome,
  Publisher,
  SearchedPost,
} from './publisher.js';
