/**
 * The handler of one API call: parsing, authentication, rate limit, operation, injected faults. Errors of
 * docs/account-api.md#error-codes are answered with HTTP 200; a stack is never sent.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Access, Account } from './access.js';
import { Refusal, type RefusalCode, refusalTexts } from './answer/refusal.js';
import type { Fault, Faults } from './faults.js';
import type { Imports } from './imports.js';
import type { Sections } from './operations/index.js';
import type { Image } from './operations/operation.js';
import { checkDeclared } from './request/declared.js';
import { type ReadOptions, type ReceivedCall, readCall } from './request/read-call.js';
import { createVariables } from './request/variables.js';
import type { Sql } from './store/sqlite.js';
import { failure, success } from './xml/write.js';

export interface ApiDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly access: Access;
  readonly imports: Imports;
  readonly faults: Faults;
  readonly sections: Sections;
  readonly read: ReadOptions;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

interface AnswerWithFault {
  readonly answer: Answer;
  readonly fault?: Fault | undefined;
}

type Host = 'account' | 'generator';

const xmlType = 'text/xml; charset=UTF-8';

export type ApiHandler = (request: IncomingMessage, response: ServerResponse, host: Host) => Promise<void>;

export function createApiHandler(deps: ApiDeps): ApiHandler {
  const { access, faults, clock, log } = deps;

  async function answerTo(request: IncomingMessage, host: Host): Promise<AnswerWithFault> {
    if (request.method !== 'POST' && request.method !== 'GET') {
      return { answer: noCall };
    }
    let call: ReceivedCall;
    try {
      call = await readCall(request, deps.read);
    } catch (error) {
      // A GET that cannot be read gets a browser's answer; a caller that disconnected half way gets none anyway.
      if (request.method === 'GET' || codeOf(error) === 'ECONNRESET') return { answer: noCall };
      return { answer: refusalOf(error, log) };
    }
    try {
      return await serve(call, host);
    } finally {
      await call.dispose();
    }
  }

  async function serve(call: ReceivedCall, host: Host): Promise<AnswerWithFault> {
    let operation = 'unknown';
    let fault: Fault | undefined;
    try {
      const variables = createVariables(call.fields);
      const account = callingAccount(call, variables.text('api_key'));
      if (!account) return { answer: noCall };
      access.count(account);
      const section = variables.filter('section') ?? '';
      const action = variables.filter('action') ?? '';
      const handler = handlerOf(section, action, host);
      operation = `${section}/${action}`;
      fault = faults.take(operation);
      if (fault?.as === 'refused') throw new Refusal(knownCode(fault.code));
      checkDeclared(section, action, variables);
      const content = await handler({ ...deps, account, variables, encoding: call.encoding, files: call.files });
      return { answer: 'bytes' in content ? picture(content) : document(success(content)), fault };
    } catch (error) {
      return { answer: refusalOf(error, log, operation), fault };
    }
  }

  /** The calling account; `undefined` for a GET without a known key, or where the account has GET switched off. */
  function callingAccount(call: ReceivedCall, apiKey: string | undefined): Account | undefined {
    if (call.encoding === 'query') {
      try {
        const account = access.accountOf(apiKey);
        if (account.get_allowed === 0) return undefined;
      } catch {
        return undefined;
      }
    }
    if (faults.apiKeyRefused && apiKey) throw new Refusal('100');
    const account = access.accountOf(apiKey);
    if (account.plan === 'free') throw new Refusal('10');
    return account;
  }

  function handlerOf(section: string, action: string, host: Host) {
    const known = Object.hasOwn(deps.sections, section) && (section === 'barcode') === (host === 'generator');
    const actions = known ? deps.sections[section] : undefined;
    if (!actions) throw new Refusal('120');
    const handler = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!handler) throw new Refusal('110');
    return handler;
  }

  return async (request, response, host) => {
    const { answer, fault } = await answerTo(request, host);
    if (fault?.delay_ms) await clock.sleep(fault.delay_ms);
    if (fault?.as === 'reset') {
      response.socket?.destroy();
      return;
    }
    send(response, fault ? spoiledAnswer(answer, fault) : answer);
  };
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body, 'utf8') : answer.body;
  response.writeHead(answer.status, { 'Content-Type': answer.type, 'Content-Length': body.length });
  response.end(body);
}

function document(body: string): Answer {
  return { status: 200, type: xmlType, body };
}

function picture(image: Image): Answer {
  return { status: 200, type: image.type, body: image.bytes };
}

/**
 * The answer to a browser: to a GET that names no account with GET switched on, and to methods other than GET and POST.
 * The public material does not show it *(guess)*.
 */
const noCall: Answer = {
  status: 405,
  type: 'text/html; charset=UTF-8',
  body: '<!DOCTYPE html><html><head><title>API</title></head><body><p>API calls come by POST.</p></body></html>\n',
};

function refusalOf(error: unknown, log: Log, operation?: string): Answer {
  if (error instanceof Refusal) return document(failure(error.apiCode, error.text));
  log.error({ err: error, code: codeOf(error), operation }, 'a call failed');
  return document(failure('2', refusalTexts['2']));
}

function knownCode(code: string | undefined): RefusalCode {
  return code !== undefined && Object.hasOwn(refusalTexts, code) ? (code as RefusalCode) : '2';
}

function spoiledAnswer(answer: Answer, fault: Fault): Answer {
  const html = '<!DOCTYPE html><html><body><h1>Service unavailable</h1></body></html>\n';
  switch (fault.as) {
    case 'html':
      return { status: 200, type: 'text/html; charset=UTF-8', body: html };
    case '500':
      return { status: 500, type: 'text/html; charset=UTF-8', body: html };
    case 'empty':
      return { ...answer, body: '' };
    case 'truncated':
      return { ...answer, body: answer.body.slice(0, Math.floor((answer.body.length * 2) / 3)) };
    default:
      return answer;
  }
}
