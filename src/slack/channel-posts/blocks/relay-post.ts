/** Renders any relay post as a Slack message, whole or as one line: mentions, content, reason, buttons. Pure. */
import { countOf } from '../../../english.js';
import type { Post } from '../../../relay/index.js';
import { type Block, type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { barcodeElement, bold, escaped, fallback, richText, textElement } from '../../block-kit/text.js';
import { type Appearance, defaultAppearance } from '../appearance/appearance.js';
import { relayName } from '../describe/describe-relay.js';
import { ruleClause } from '../describe/rule-sentence.js';
import { cardLines, cardTitle, digestLines, digestTitle } from './digest-post.js';
import { showsRepeats } from './earlier-line.js';
import { linePost } from './line-post.js';
import { mentionOf, watchersOf } from './mentioned.js';
import { actionBlocks } from './post-actions.js';
import type { PostNames } from './post-names.js';
import { acknowledgedBlocks, callBlocks, reasonBlocks, withCall } from './post-parts.js';
import { asOneParagraph, nameOf, scanPost } from './scan-post.js';
import { alarmElements } from './tally-lines.js';

const noNames: PostNames = { scan: {}, services: new Map() };

export function relayPost(post: Post, names: PostNames = noNames, appearance: Appearance = defaultAppearance): Message {
  const mention = mentionOf(post, names.members);
  const { text, blocks } = content(post, names, appearance);
  const called = appearance.look === 'line' ? [] : callBlocks({ mention });
  return message(withCall({ mention }, text), [...called, ...blocks, ...actionBlocks(post, appearance)]);
}

/** The post as a channel shows it, without mentions and actions. */
function content(post: Post, names: PostNames, appearance: Appearance): Content {
  if (appearance.look === 'line') {
    return { text: render(post, names, appearance).text, blocks: [richText(linePost(post, names))] };
  }
  const { text, blocks } = render(post, names, appearance);
  const acknowledged = 'acknowledged' in post ? post.acknowledged : undefined;
  const reasons =
    post.kind === 'card' ? [] : reasonBlocks(post, watchersOf(post, names.members), clausesOf(post, names));
  return { text, blocks: [...blocks, ...reasons, ...acknowledgedBlocks(acknowledged)] };
}

/** Everything that a post has to show, for one person to read. */
export function postDetails(post: Post, names: PostNames): Block[] {
  return content(post, names, defaultAppearance).blocks;
}

interface Content {
  readonly text: string;
  readonly blocks: Block[];
}

function render(post: Post, names: PostNames, { shows }: Appearance): Content {
  switch (post.kind) {
    case 'scan': {
      const { scan, relay } = post;
      const earlier = showsRepeats(scan, post) ? (names.earlier ?? {}) : undefined;
      return scanPost({ scan, relay, names: names.scan, earlier, shows });
    }
    case 'burst': {
      const { burst, scan, relay } = post;
      const alarm = alarmElements({ kind: 'burst', ...burst });
      const what = `🚨 ${countOf(burst.n, 'invalid scan')} within ${burst.minutes} min`;
      return {
        text: `${escaped(what)}, the last ${fallback(scan.tid)}`,
        blocks: [
          lines(
            [bold('🚨 '), ...alarm, textElement(` · ${relayName(relay)}`)],
            [textElement('Last: '), barcodeElement(scan.tid)],
          ),
        ],
      };
    }
    case 'silence': {
      const { silence, relay } = post;
      const known = { relay: undefined, device: names.scan.device, service: names.scan.service }[silence.of];
      const whose = silence.of === 'relay' ? undefined : nameOf(known, silence.of, silence.id);
      return {
        text: `🔇 No scan${whose === undefined ? '' : ` from ${escaped(whose)}`} for ${silence.minutes} min`,
        blocks: [
          lines([
            bold('🔇 '),
            ...alarmElements({ kind: 'silence', ...silence }, whose),
            textElement(` · ${relayName(relay)}`),
          ]),
        ],
      };
    }
    case 'digest':
      return { text: escaped(digestTitle(post)), blocks: [lines(...digestLines(post, names.services))] };
    case 'card':
      return {
        text: `${escaped(cardTitle(post))}: ${post.tally.scans}`,
        blocks: [lines(...cardLines(post, names.services))],
      };
  }
}

/** The rules without a name whose conditions combine, in words, as they are now. */
function clausesOf({ rules, relay }: Pick<Post, 'rules' | 'relay'>, { rules: nameOf }: PostNames): string[] {
  const unnamed = new Set(rules.filter(({ name }) => name.trim() === '').map(({ id }) => id));
  return relay.settings.rules
    .filter(({ id, when, unless }) => unnamed.has(id) && when.length + unless.length > 1)
    .map((rule) => ruleClause(rule, nameOf));
}

function lines(...all: readonly RichTextElement[][]): Block {
  return richText(asOneParagraph(all));
}
