/** The test scan of a setup: sent to the relay's public webhook URL, and followed for 10 seconds into the channel. */
import type { Relay, TestOutcome } from '../../../relay/index.js';
import { channelElement, textElement } from '../../block-kit/text.js';
import { type Recorder, record } from '../../bolt/audit.js';
import { describeReason } from '../../channel-posts/describe/describe-state.js';
import { type Step, step } from './result-view.js';

/** How long a test waits for its post: Slack takes one post a second in each channel, and others may be pending. */
const timeoutMs = 10_000;
const pollMs = 300;

export async function testSteps(
  context: Recorder,
  relay: Relay,
  path: string,
  serviceId: string,
): Promise<readonly Step[]> {
  const outcome = await context.deps.sendTestScan(path, { serviceId, names: relay.settings.names });
  await record(context, {
    what: 'relay/test',
    detail: { relay: relay.id, service: serviceId, value: outcome.value },
    outcome: outcome.outcome === 'answered' ? 'ok' : outcome.outcome,
  });
  if (outcome.outcome !== 'answered') {
    return [step('warned', describeRefusal(outcome, relay))];
  }
  const received = step('done', `Test scan ${outcome.value} was received and answered in ${outcome.ms} ms.`);
  return [received, await postedStep(context, relay, outcome.value)];
}

function describeRefusal(outcome: Exclude<TestOutcome, { outcome: 'answered' }>, { settings }: Relay): string {
  if (outcome.outcome === 'unreachable') {
    return 'The test scan could not be sent because Scandesk can’t reach its own public URL. Devices may still reach it: scan something and check the channel.';
  }
  if (outcome.status === 403 && settings.secretProperty) {
    return 'The test scan was refused, as expected, because it does not have the secret property. Scan something with a device to check that the service sends it.';
  }
  if (outcome.status === 403 && settings.networks.length > 0) {
    return 'The test scan was refused, as expected, because Scandesk’s own IP address is not an allowed sender. Scan something with a device instead.';
  }
  return `The test scan was refused with status ${outcome.status}. Something between Scandesk and its public URL blocks it.`;
}

async function postedStep({ deps }: Recorder, relay: Relay, value: string): Promise<Step> {
  const channel = channelElement(relay.channel);
  if (relay.paused) {
    return step('warned', 'It will be posted in ', channel, textElement(' when the relay is resumed.'));
  }
  const waitUntil = deps.clock.now() + timeoutMs;
  for (;;) {
    const { state, code } = await deps.relayStatus.testPost(relay, value);
    if (state === 'posted') {
      return step('done', 'It was posted in ', channel, textElement('.'));
    }
    if (state === 'dead') {
      return step('failed', 'It could not be posted in ', channel, textElement(`: ${describeReason(code)}.`));
    }
    if (deps.clock.now() >= waitUntil) {
      const why = code === undefined ? 'other posts may come first' : describeReason(code);
      return step('warned', 'It has not been posted yet in ', channel, textElement(`: ${why}.`));
    }
    await deps.clock.sleep(pollMs);
  }
}
