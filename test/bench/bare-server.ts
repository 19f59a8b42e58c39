/** The smallest possible scan receiver, as a baseline: parses the form and answers the same XML. It stores nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveMeasured } from './process.js';

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const tid = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('tid');
    const document = `<?xml version="1.0" encoding="UTF-8"?>\n<xml><message><status>${tid ? 1 : 0}</status><text>Received</text></message></xml>`;
    res.writeHead(200, { 'content-type': 'text/xml', 'content-length': Buffer.byteLength(document) }).end(document);
  });
});
server.listen(0, '127.0.0.1', () => {
  serveMeasured({ port: String((server.address() as AddressInfo).port) }, async () => {
    server.closeAllConnections();
  });
});
