/**
 * Bolt's receiver for Slack's HTTP requests: it verifies and parses them, and hands them to Bolt. Every failure ends in
 * an answer. Bolt's own receiver leaves errors unhandled: a signed body `null` ended the process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type App, HTTPResponseAck, HTTPModuleFunctions as http, type Logger, type Receiver } from '@slack/bolt';

export interface HttpReceiver extends Receiver {
  /** Answers one POST request. Never throws, never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export interface HttpReceiverDeps {
  readonly signingSecret: string;
  readonly logger: Logger;
  /** Called for each refused request. */
  readonly onRefused: (request: IncomingMessage, code: RefusedCode) => void;
}

/**
 * - `slack.body_too_large`: over 4 MB.
 * - `slack.body_cut`: the connection closed before the end.
 * - `slack.signature`: not signed with the app's secret, or too old.
 * - `slack.body`: signed, but neither JSON nor a form that holds an object, or with an event that is no object.
 */
export type RefusedCode = 'slack.body_too_large' | 'slack.body_cut' | 'slack.signature' | 'slack.body';

const statusOf: Readonly<Record<RefusedCode, number>> = {
  'slack.body_too_large': 413,
  'slack.body_cut': 400,
  'slack.signature': 401,
  'slack.body': 400,
};

export function createHttpReceiver(deps: HttpReceiverDeps): HttpReceiver {
  const { signingSecret, logger } = deps;
  let app: App | undefined;

  const refuse = (request: IncomingMessage, response: ServerResponse, code: RefusedCode): void => {
    deps.onRefused(request, code);
    http.buildNoBodyResponse(response, statusOf[code]);
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let verified: Awaited<ReturnType<typeof http.parseAndVerifyHTTPRequest>>;
    try {
      verified = await http.parseAndVerifyHTTPRequest({ signingSecret, bodyLimit: http.defaultBodyLimit }, request);
    } catch (error) {
      refuse(request, response, whyUnverified(error));
      return;
    }
    const body = objectIn(verified);
    if (!body) {
      refuse(request, response, 'slack.body');
    } else if (body.ssl_check === '1') {
      http.buildSSLCheckResponse(response);
    } else if (body.type === 'url_verification') {
      http.buildUrlVerificationResponse(response, body);
    } else if (body.type === 'app_rate_limited') {
      // The body holds no event: Bolt would answer 404 after 3 seconds.
      logger.warn('Slack holds back events of a workspace for a minute: there were too many');
      http.buildNoBodyResponse(response, 200);
    } else {
      await dispatch(verified, response, body);
    }
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse, body: Body): Promise<void> {
    const ack = new HTTPResponseAck({
      logger,
      processBeforeResponse: false,
      httpRequest: request as ConstructorParameters<typeof HTTPResponseAck>[0]['httpRequest'],
      httpRequestBody: body,
      httpResponse: response,
    });
    const retryNum = http.extractRetryNumFromHTTPRequest(request);
    const retryReason = http.extractRetryReasonFromHTTPRequest(request);
    try {
      await app?.processEvent({
        body,
        ack: ack.bind(),
        ...(retryNum === undefined ? {} : { retryNum }),
        ...(retryReason === undefined ? {} : { retryReason }),
      });
    } catch (error) {
      // Ends Bolt's timer for unacknowledged requests; `handle` sends the response.
      ack.ack();
      throw error;
    }
  }

  return {
    init: (initialized) => {
      app = initialized;
    },
    // Bolt's start does nothing: the HTTP server listens and stops elsewhere.
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    handle(request, response) {
      receive(request, response).catch((error: unknown) => {
        logger.error('a request from Slack failed:', error);
        if (!response.headersSent) {
          http.buildNoBodyResponse(response, 500);
        }
      });
    },
  };
}

type Body = Record<string, unknown>;

/**
 * The object in a request; undefined for an array, a number and `null`, which are JSON too, and for an event that is no
 * object.
 */
function objectIn(request: Awaited<ReturnType<typeof http.parseAndVerifyHTTPRequest>>): Body | undefined {
  try {
    const body: unknown = http.parseHTTPRequestBody(request);
    return isObject(body) && (body.event === undefined || isObject(body.event)) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whyUnverified(error: unknown): RefusedCode {
  if (!http.isRawBodyError(error)) {
    return 'slack.signature';
  }
  return error.statusCode === 413 ? 'slack.body_too_large' : 'slack.body_cut';
}
