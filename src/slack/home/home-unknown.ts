/** App Home for a person Slack cannot identify: it shows nothing of the workspace. Pure. */
import { type HomeView, plain } from '../block-kit/elements.js';
import { code, richText, textElement } from '../block-kit/text.js';

export function unknownHomeView(): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Scandesk') },
      richText(
        [textElement('Slack could not say who you are just now, so this page is empty. Open it again in a moment.')],
        [textElement('Meanwhile, '), code('/barcode'), textElement(' and a barcode looks it up in any channel.')],
      ),
    ],
  };
}
