/** Renders any relay post as a Slack message: mentions, content, reason, buttons. Pure. */
import type { NameOf } from '../../../codereadr/types.js';
import { countOf } from '../../../english.js';
import type { Post } from '../../../relay/index.js';
import { type Block, type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { barcodeElement, bold, escaped, fallback, richText, textElement } from '../../block-kit/text.js';
import { relayName } from '../describe/describe-relay.js';
import { ruleClause } from '../describe/rule-sentence.js';
import { cardLines, cardTitle, digestLines, digestTitle } from './digest-post.js';
import { showsRepeats } from './earlier-line.js';
import { actionBlocks } from './post-actions.js';
import { acknowledgedBlocks, callBlocks, reasonBlocks, withCall } from './post-parts.js';
import { asOneParagraph, nameOf, type ScanNames, scanPost } from './scan-post.js';
import { alarmElements, type ServiceNames } from './tally-lines.js';

export interface PostNames {
  /** Names of the scan that the post is about. */
  readonly scan: ScanNames;
  /** Names of the scan that was accepted before. */
  readonly earlier?: ScanNames;
  /** By id, for counts by service. */
  readonly services: ServiceNames;
  /** Of what its rules name, as far as known. */
  readonly rules?: NameOf;
}

const noNames: PostNames = { scan: {}, services: new Map() };

export function relayPost(post: Post, names: PostNames = noNames): Message {
  const { text, blocks } = render(post, names);
  return message(withCall(post, text), [...callBlocks(post), ...blocks]);
}

function render(post: Post, names: PostNames): { text: string; blocks: Block[] } {
  switch (post.kind) {
    case 'scan': {
      const { scan, relay, acknowledged } = post;
      const earlier = showsRepeats(scan, post) ? (names.earlier ?? {}) : undefined;
      const { text, blocks } = scanPost({ scan, relay, names: names.scan, earlier });
      return {
        text,
        blocks: [
          ...blocks,
          ...reasonBlocks(post, clausesOf(post, names)),
          ...acknowledgedBlocks(acknowledged),
          ...actionBlocks(post),
        ],
      };
    }
    case 'burst': {
      const { burst, scan, relay, acknowledged } = post;
      const alarm = alarmElements({ kind: 'burst', ...burst });
      const what = `🚨 ${countOf(burst.n, 'invalid scan')} within ${burst.minutes} min`;
      return {
        text: `${escaped(what)}, the last ${fallback(scan.tid)}`,
        blocks: [
          lines(
            [bold('🚨 '), ...alarm, textElement(` · ${relayName(relay)}`)],
            [textElement('Last: '), barcodeElement(scan.tid)],
          ),
          ...reasonBlocks(post, clausesOf(post, names)),
          ...acknowledgedBlocks(acknowledged),
          ...actionBlocks(post),
        ],
      };
    }
    case 'silence': {
      const { silence, relay, acknowledged } = post;
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
          ...reasonBlocks(post, clausesOf(post, names)),
          ...acknowledgedBlocks(acknowledged),
          ...actionBlocks(post),
        ],
      };
    }
    case 'digest':
      return {
        text: escaped(digestTitle(post)),
        blocks: [lines(...digestLines(post, names.services)), ...reasonBlocks(post, clausesOf(post, names))],
      };
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
