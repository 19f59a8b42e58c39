/** App Home's section of the person's watches, each with *Stop watching*. Pure. */
import { countOf } from '../../../english.js';
import type { Watch } from '../../../relay/relays/types.js';
import { type Block, context } from '../../block-kit/elements.js';
import { bold, richText } from '../../block-kit/text.js';
import { stopWatchingButton, watchLine } from '../../channel-posts/watches/watches-message.js';

/** The most watches shown; each takes two blocks. */
const mostShown = 5;

export function watchBlocks(watches: readonly Watch[]): Block[] {
  if (watches.length === 0) {
    return [];
  }
  const watchesLeft = watches.length - mostShown;
  return [
    richText([bold('My watches')]),
    ...watches.slice(0, mostShown).flatMap((watch) => [richText(watchLine(watch, true)), stopWatchingButton(watch.id)]),
    ...(watchesLeft > 0
      ? [context(`And ${countOf(watchesLeft, 'more watched barcode')}. See them all with /scandesk watch.`)]
      : []),
  ];
}
