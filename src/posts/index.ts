/** Posts: messages that Scandesk sends by itself, from the outbox to their channel. Independent of Slack. */
export type { Delivery } from './dispatcher.js';
export { createNotices, type DueNotice, type FindDueNotices, type Notices } from './notices.js';
export type { BlockedQueue } from './outbox/blocked-queues.js';
export type { OutboxPost } from './outbox/post.js';
export type { AnyPost, EditOutcome, FindOutcome, NoticePost, PostOutcome, Publisher } from './publisher.js';
export type { PostMaker } from './sources.js';
