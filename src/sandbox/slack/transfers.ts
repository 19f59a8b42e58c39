/** File transfers: upload to an upload URL, download from a private URL with a token that may read the file. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import type { Core } from './core.js';
import { contentType, largestFile, readBody, readMultipart, send } from './http.js';
import { receiveUpload, type UploadAddresses } from './web/files.js';

export interface Transfers {
  receive(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>;
  send(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>;
}

export function createTransfers(core: Core, uploads: UploadAddresses): Transfers {
  return {
    async receive(req, res, path) {
      const file = uploads.take(path);
      const content =
        contentType(req) === 'multipart/form-data'
          ? ((await readMultipart(req)).file?.content ?? Buffer.alloc(0))
          : await readBody(req, largestFile);
      const error = file === undefined ? 'file_not_found' : receiveUpload(core, file, content);
      send(res, error === undefined ? 200 : 400, 'text/plain; charset=utf-8', error ?? `OK - ${content.length}`);
    },

    /** Without a token with files:read the caller is redirected to log in, as Slack does: HTML, not an error. */
    async send(req, res, path) {
      const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
      const install = token === undefined ? undefined : core.world.installByToken(token);
      const [, team, id] = /^\/files-pri\/(T[A-Z0-9]+)-(F[A-Z0-9]+)\//.exec(path) ?? [];
      const file = id === undefined ? undefined : core.world.file(id);
      if (!file?.complete || file.deleted || file.team !== team) {
        send(res, 404, 'text/html; charset=utf-8', '<!DOCTYPE html><title>Slack</title><h1>Not found</h1>');
        return;
      }
      if (
        install?.state !== 'live' ||
        install.team !== (core.organisation?.id ?? team) ||
        !install.scopes.includes('files:read')
      ) {
        const location = `${core.origin()}/?redir=${encodeURIComponent(path)}`;
        send(res, 302, 'text/html; charset=utf-8', '', { location });
        return;
      }
      const content = core.world.fileContent(file.id);
      if (path.includes('/thumb_1024/')) {
        const small = await sharp(content).resize({
          width: 1024,
          height: 1024,
          fit: 'inside',
          withoutEnlargement: true,
        });
        send(res, 200, 'image/png', await small.png().toBuffer());
        return;
      }
      send(res, 200, file.mimetype, content);
    },
  };
}
