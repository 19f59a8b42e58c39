/** App Home for a person Slack cannot identify: it shows nothing of the workspace. Pure. */
import { type HomeView, plain } from '../block-kit/elements.js';
import { code, richText, textElement } from '../block-kit/text.js';

export function unknownHomeView(): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Scandesk') },
      richText(
        [textElement('Slack couldn’t confirm who you are, so this page is empty. Open it again in a moment.')],
        [
          textElement('Meanwhile, type '),
          code('/barcode'),
          textElement(' and a barcode in any channel to look it up.'),
        ],
      ),
    ],
  };
}
