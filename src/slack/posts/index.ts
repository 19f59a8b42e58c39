/** The posts feature: the receipts of the messages that Scandesk sends by itself. */
import type { Feature } from '../bolt/routing/feature.js';
import { messagePosted } from './posted-event.js';

export const posts: Feature = { listeners: [messagePosted] };
