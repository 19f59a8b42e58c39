import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { expect, it, onTestFinished } from 'vitest';
import type { ModalView } from '../../../src/slack/block-kit/elements.js';
import { createRerenders } from '../../../src/slack/forms/rerender.js';

const named = (title: string): ModalView => ({ type: 'modal', title: { type: 'plain_text', text: title }, blocks: [] });

async function startForm() {
  const drawn: string[] = [];
  const slack = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const view = JSON.parse(new URLSearchParams(Buffer.concat(chunks).toString()).get('view') ?? '{}') as ModalView;
    drawn.push(view.title.text);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ok: true, view: { hash: `h${drawn.length}` } }));
  });
  await new Promise<void>((done) => slack.listen(0, '127.0.0.1', done));
  onTestFinished(() => void slack.close());
  const client = new WebClient('xoxb-1', { slackApiUrl: `http://127.0.0.1:${(slack.address() as AddressInfo).port}/` });
  const rerenders = createRerenders();
  const draw = (action_ts: string, title: string) =>
    rerenders.draw({ client, action: { action_ts }, inside: { view: { id: 'V1', hash: 'h0' } } }, async () =>
      named(title),
    );
  return { drawn, draw };
}

it('a choice that is handled after a later choice does not redraw the form with its older state', async () => {
  const { drawn, draw } = await startForm();
  await draw('1795731411.000200', 'A line was added');
  await draw('1795731411.000100', 'The line’s kind was chosen');
  expect(drawn).toEqual(['A line was added']);
});

it('a form draws only the later of two choices that are handled at once', async () => {
  const { drawn, draw } = await startForm();
  await Promise.all([draw('1795731411.000200', 'Later'), draw('1795731411.000100', 'Earlier')]);
  expect(drawn).toEqual(['Later']);
});

it('a form is drawn again for a choice that Slack sends a second time', async () => {
  const { drawn, draw } = await startForm();
  await draw('1795731411.000100', 'Once');
  await draw('1795731411.000100', 'Once');
  expect(drawn).toEqual(['Once', 'Once']);
});
