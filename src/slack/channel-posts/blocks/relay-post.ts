/** Renders any relay post as a Slack message, whole or as one line: mentions, content, reason, buttons. Pure. */
import type { Post } from '../../../relay/index.js';
import { type Block, type Message, message } from '../../block-kit/elements.js';
import { fitsMessage } from '../../block-kit/message-size.js';
import { escaped, richText } from '../../block-kit/text.js';
import { type Appearance, defaultAppearance } from '../appearance/appearance.js';
import { ruleClause } from '../describe/rule-sentence.js';
import { cardLines, cardTitle, digestLines, digestTitle } from './digest-post.js';
import { showsRepeats } from './earlier-line.js';
import {
  alarmLines,
  alarmText,
  escalationLines,
  escalationText,
  replyLines,
  replyText,
  storyBlocks,
} from './incident-post.js';
import { linePost } from './line-post.js';
import { mentionOf, watchersOf } from './mentioned.js';
import { actionBlocks } from './post-actions.js';
import type { PostNames } from './post-names.js';
import { callBlocks, happenedBlocks, mentionText, reasonBlocks, withCall } from './post-parts.js';
import { amplestLimits, type ScanPostLimits, scanPost, tightLimits } from './scan-post.js';

const noNames: PostNames = { scan: {}, services: new Map() };

export function relayPost(post: Post, names: PostNames = noNames, appearance: Appearance = defaultAppearance): Message {
  const mention = mentionOf(post, names.members);
  const called = isLine(post, appearance) ? [] : callBlocks({ mention });
  // The buttons of an alert are on its message, and on its escalation.
  const actions = post.kind === 'reply' || post.kind === 'mention' ? [] : actionBlocks(post, appearance);
  const draw = (limits?: ScanPostLimits) => {
    const { text, blocks } = content(post, names, appearance, limits);
    return message(withCall({ mention }, text), [...called, ...blocks, ...actions]);
  };
  const usual = draw();
  return fitsMessage(usual.blocks) ? usual : draw(tightLimits);
}

/** The post without its mentions and actions. */
function content(post: Post, names: PostNames, appearance: Appearance, limits?: ScanPostLimits): Content {
  if (isLine(post, appearance)) {
    return { text: render(post, names, appearance).text, blocks: [richText(linePost(post, names))] };
  }
  const { text, blocks } = render(post, names, appearance, limits);
  const reasons =
    post.kind === 'card' ? [] : reasonBlocks(post, watchersOf(post, names.members), clausesOf(post, names));
  return {
    text,
    blocks: [...blocks, ...reasons, ...happenedBlocks(post)],
  };
}

/** Whether the post is shown as one line. Replies and escalations are always shown whole. */
function isLine({ kind }: Post, { look }: Appearance): boolean {
  return look === 'line' && kind !== 'reply' && kind !== 'escalation' && kind !== 'mention';
}

/** The most characters of details: Slack takes a view of 250 KB, and a character can take four bytes. */
const longestDetails = 60_000;

/** The blocks of *Details*: the post with the amplest limits, or with the usual ones if it is too long for a view. */
export function postDetails(post: Post, names: PostNames): Block[] {
  const amply = content(post, names, defaultAppearance, amplestLimits).blocks;
  return JSON.stringify(amply).length <= longestDetails ? amply : content(post, names, defaultAppearance).blocks;
}

interface Content {
  readonly text: string;
  readonly blocks: Block[];
}

function render(post: Post, names: PostNames, { shows }: Appearance, limits?: ScanPostLimits): Content {
  switch (post.kind) {
    case 'scan': {
      const { scan, relay } = post;
      const earlier = showsRepeats(scan, post) ? (names.earlier ?? {}) : undefined;
      return scanPost({ scan, relay, names: names.scan, earlier, shows, limits });
    }
    case 'burst':
    case 'silence':
      return {
        text: alarmText(post, names),
        blocks: [richText(...alarmLines(post, names))],
      };
    case 'reply':
      return { text: replyText(post), blocks: [richText(...replyLines(post, names)), ...storyBlocks(post, names)] };
    case 'escalation':
      return { text: escalationText(post), blocks: [richText(...escalationLines(post, names))] };
    case 'mention':
      return { text: mentionText, blocks: [richText([mentionText])] };
    case 'digest':
      return { text: escaped(digestTitle(post)), blocks: [richText(...digestLines(post, names.services))] };
    case 'card':
      return {
        text: `${escaped(cardTitle(post))}: ${post.tally.scans}`,
        blocks: [richText(...cardLines(post, names.services))],
      };
  }
}

/** The present conditions, in words, of rules without a name that have more than one condition. */
function clausesOf({ rules, relay }: Pick<Post, 'rules' | 'relay'>, { rules: nameOf }: PostNames): string[] {
  const unnamed = new Set(rules.filter(({ name }) => name.trim() === '').map(({ id }) => id));
  return relay.settings.rules
    .filter(({ id, when, unless }) => unnamed.has(id) && when.length + unless.length > 1)
    .map((rule) => ruleClause(rule, nameOf));
}
