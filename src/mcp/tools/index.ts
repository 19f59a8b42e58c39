/** All tools, in the order in which clients list them. */
import type { Tool } from '../tool.js';
import { alertsAndRelays } from './alerts-and-relays.js';
import { insideNow } from './inside-now.js';
import { lookUpBarcodes } from './look-up-barcodes.js';
import { searchScans } from './search-scans.js';
import { todaysFigures } from './todays-figures.js';

export const tools: readonly Tool[] = [lookUpBarcodes, searchScans, insideNow, alertsAndRelays, todaysFigures];
