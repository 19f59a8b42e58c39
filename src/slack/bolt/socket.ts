/**
 * The Socket Mode connection: connects and reconnects until stopped.
 * Bolt's own reconnecting is off: it gives up if Slack is down at the start, and later ends the process by a rejection.
 */
import { SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { slackErrorCode } from './errors.js';
import { createSlackLogger } from './logger.js';

const firstWaitMs = 500;
const longestWaitMs = 60_000;
/** How long to wait for Slack's pong, in ms: the library's 5 s end a socket that is only slow. */
const pongMs = 20_000;

export function createSocket(deps: {
  readonly appToken: string;
  readonly options: WebClientOptions;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { clock, log } = deps;
  const receiver = new SocketModeReceiver({
    appToken: deps.appToken,
    logger: createSlackLogger(log),
    autoReconnectEnabled: false,
    clientPingTimeout: pongMs,
    installerOptions: { clientOptions: { ...deps.options } },
  });
  const stopping = new AbortController();
  const stopSignal = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let connecting: Promise<void> | undefined;

  async function keepConnected(): Promise<void> {
    let waitMs = firstWaitMs;
    while (!stopping.signal.aborted) {
      let lose: () => void = () => {};
      const lossOfSocket = new Promise<void>((resolve) => {
        lose = () => resolve();
      });
      receiver.client.on('disconnected', lose);
      try {
        await Promise.race([receiver.start(), stopSignal]);
        waitMs = firstWaitMs;
        log.info('the socket to Slack is open');
        await Promise.race([lossOfSocket, stopSignal]);
      } catch (error) {
        log.warn(
          { code: codeOf(error), slack: slackErrorCode(error), waitMs },
          'the socket to Slack could not be opened',
        );
      } finally {
        receiver.client.off('disconnected', lose);
      }
      await clock.sleep(waitMs, stopping.signal).catch(() => {});
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  return {
    receiver,
    /** Starts connecting; returns at once. */
    start(): void {
      connecting ??= keepConnected().catch((error: unknown) => log.error({ err: error }, 'the socket to Slack failed'));
    },
    async stop(): Promise<void> {
      stopping.abort(new Error('stopping'));
      await receiver.stop();
      await connecting;
    },
  };
}
