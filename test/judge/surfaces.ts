/** The surfaces: how each is asked about a barcode, as a person would, and its answer judged. */
import { look, more, shareCard } from './cards.js';
import { type Surface, texts } from './history.js';
import { devicePage, joined, messageMenu, recent, searchService, tool } from './more-surfaces.js';
import {
  exportScans,
  exportValues,
  home,
  relayReport,
  search,
  searchReport,
  searchToday,
  shareSearch,
} from './scans.js';
import type { World } from './world.js';

export const surfaces: Readonly<Record<Surface, (world: World, text: string) => Promise<unknown>>> = {
  card: (world, text) => look(world, [text]),
  several: (world, text) =>
    look(
      world,
      [0, 1, 2].map((more) => texts[(texts.indexOf(text as never) + more) % texts.length] ?? ''),
    ),
  more,
  search,
  today: searchToday,
  shareCard,
  shareSearch,
  exportScans,
  exportValues,
  home,
  relayReport,
  searchReport,
  ...{ devicePage, tool, messageMenu, recent, searchService, joined },
};
