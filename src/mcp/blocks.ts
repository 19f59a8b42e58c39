/**
 * The blocks of a command's card as Slackbot draws them. Slackbot refuses all blocks for one of an unknown type, and
 * strips buttons that call no tool (docs/slackbot.md): lookup buttons become calls, others are left out. Pure.
 */
import { type Actions, actions, type Block, type Button, button } from '../slack/block-kit/elements.js';
import { decode } from '../slack/bolt/metadata.js';
import { cardData } from '../slack/lookup/card/card.js';

const drawnBlockTypes: ReadonlySet<string> = new Set([
  ...['context', 'divider', 'header', 'markdown', 'rich_text', 'section', 'data_visualization', 'table'],
]);
const mostBlocks = 50;

export function slackbotBlocks(blocks: readonly Block[]): Block[] {
  return blocks
    .flatMap((block): Block[] => {
      if (block.type === 'actions') {
        // Each button gets a block of its own: within a block, an action may be there only once.
        return block.elements.flatMap(toolCall).map((each) => actions([each]));
      }
      if (block.type === 'section') {
        const { accessory, ...rest } = block;
        const [call] = toolCall(accessory);
        return [{ ...rest, ...(call ? { accessory: call } : {}) }];
      }
      return drawnBlockTypes.has(block.type) ? [block] : [];
    })
    .slice(0, mostBlocks);
}

function toolCall(element: { readonly type: string } | undefined): Button[] {
  if (element?.type !== 'button') {
    return [];
  }
  const { action_id: id = '', text, value } = element as Button;
  if (id.startsWith(toolPrefix)) {
    return [element as Button];
  }
  return id.startsWith('lookup.open')
    ? callOf(text.text, 'look_up_barcodes', { barcodes: [decode(cardData, value, id).value] })
    : [];
}

const toolPrefix = 'tool:';
/** Slack's limit for a button's value. */
const longestValue = 2_000;

/** The button of a call; none where the arguments are too long. */
function callOf(label: string, tool: string, input: Readonly<Record<string, unknown>>): Button[] {
  const value = JSON.stringify(input);
  return value.length > longestValue ? [] : [button(label, `${toolPrefix}${tool}`, { value })];
}

/** The block of a button that calls a tool; none where the arguments are too long. */
export function toolButton(...call: Parameters<typeof callOf>): Actions[] {
  return callOf(...call).map((each) => actions([each]));
}
