/**
 * The server side of Slack's Socket Mode: issues a socket URL, speaks WebSocket on it, and answers the few Web API
 * methods that a status command needs. It implements only as much of RFC 6455 as short text frames need.
 */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SocketServer {
  readonly url: string;
  /** The app's acknowledgements on the socket, oldest first. */
  readonly acknowledged: { envelope_id: string }[];
  /** The app's posts to the response_url. */
  readonly answers: { blocks: unknown }[];
  readonly opened: () => number;
  send(envelope: unknown): void;
  /** Takes Slack down: sockets break, nothing answers. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** RFC 6455: the text that a server hashes with the client's key. */
const websocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export async function startSocketServer(): Promise<SocketServer> {
  const acknowledged: { envelope_id: string }[] = [];
  const answers: { blocks: unknown }[] = [];
  let sockets: Socket[] = [];
  let opened = 0;
  let port = 0;
  let server: Server | undefined;

  const methods: Record<string, () => unknown> = {
    '/api/apps.connections.open': () => ({ ok: true, url: `ws://127.0.0.1:${port}/link` }),
    '/api/auth.test': () => ({ ok: true, team_id: 'T1', user_id: 'U0BOT', bot_id: 'B1' }),
    '/api/users.info': () => ({ ok: true, user: { id: 'U1', team_id: 'T1' } }),
  };

  function make(): Server {
    const socketServer = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        if (request.url === '/response') answers.push(JSON.parse(text));
        const answer = methods[request.url ?? '']?.() ?? { ok: true };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer));
      });
    });
    socketServer.on('upgrade', (request, socket: Socket) => {
      const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${websocketGuid}`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
      );
      opened += 1;
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets = sockets.filter((each) => each !== socket);
      });
      readFrames(socket, (text) => acknowledged.push(JSON.parse(text)));
      socket.write(textFrame(JSON.stringify({ type: 'hello' })));
    });
    return socketServer;
  }

  async function up(): Promise<void> {
    server = make();
    await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  }

  async function down(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    server?.closeAllConnections();
    await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
    server = undefined;
  }

  await up();
  return {
    url: `http://127.0.0.1:${port}`,
    acknowledged,
    answers,
    opened: () => opened,
    send: (envelope) => sockets.at(-1)!.write(textFrame(JSON.stringify(envelope))),
    up,
    down,
    close: down,
  };
}

function textFrame(text: string, opcode = 1): Buffer {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, payload.length])
      : Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, payload]);
}

function readFrames(socket: Socket, onText: (text: string) => void): void {
  let unread = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      if (unread.length < 2) return;
      const opcode = unread[0]! & 0x0f;
      const short = unread[1]! & 0x7f;
      const start = short === 126 ? 8 : 6;
      if (unread.length < start) return;
      const length = short === 126 ? unread.readUInt16BE(2) : short;
      if (unread.length < start + length) return;
      const mask = unread.subarray(start - 4, start);
      const payload = Buffer.from(unread.subarray(start, start + length).map((byte, at) => byte ^ mask[at % 4]!));
      unread = unread.subarray(start + length);
      if (opcode === 1) onText(payload.toString());
      if (opcode === 9) socket.write(textFrame(payload.toString(), 10));
      if (opcode === 8) socket.end(textFrame('', 8));
    }
  });
}
