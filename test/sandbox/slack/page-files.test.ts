import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stage, setStage } from './helpers.js';

const folder = mkdtempSync(join(tmpdir(), 'scandesk-page-'));
let stage: Stage;
beforeAll(async () => {
  const page = join(folder, 'page');
  mkdirSync(join(page, 'shell'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!DOCTYPE html><title>Slack</title>');
  writeFileSync(join(page, 'shell/frame.js'), 'export {};');
  writeFileSync(join(folder, 'secret.js'), 'a secret');
  writeFileSync(join(page, '.hidden.js'), 'a secret');
  stage = await setStage({ pageFolder: page });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests the path exactly as given: fetch would resolve its dots. */
const raw = (path: string) =>
  new Promise<{ status: number; body: string }>((done, fail) => {
    const { hostname, port } = new URL(stage.url);
    request({ hostname, port, path }, (res) => {
      let body = '';
      res.on('data', (part) => {
        body += part;
      });
      res.on('end', () => done({ status: res.statusCode ?? 0, body }));
    })
      .on('error', fail)
      .end();
  });

describe('the page’s files', () => {
  it('the page’s files are served with their types, and may run scripts only of their own origin', async () => {
    const index = await fetch(`${stage.url}/`);
    expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(index.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(index.headers.get('content-security-policy')).not.toContain('unsafe');
    const script = await fetch(`${stage.url}/page/shell/frame.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it.each([
    '/page/../secret.js',
    '/page/%2e%2e/secret.js',
    '/page/..%2fsecret.js',
    '/page/shell/../../secret.js',
    '/page//secret.js',
    '/page/.hidden.js',
    '/page/shell',
    '/page/missing.js',
    '/page/index.html%00.js',
    '/secret.js',
  ])('the page’s file server answers 404 to %s, which names no visible file in its folder', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body).not.toContain('a secret');
  });
});

describe('the workspace’s own API', () => {
  it('the workspace’s own API refuses with 415 a request that is not JSON, as a foreign page could send', async () => {
    const body = JSON.stringify({ as: 'U0ADA', channel: 'C0GENERAL', text: 'forged' });
    const response = await fetch(`${stage.url}/sandbox/say`, { method: 'POST', body });
    expect(response.status).toBe(415);
  });

  it.each<[string, unknown, string]>([
    ['say', { as: 'U0NOBODY', channel: 'C0GENERAL', text: 'x' }, 'user_not_found'],
    ['say', { as: 'U0SCANDESK1', channel: 'C0GENERAL', text: 'x' }, 'user_not_found'],
    ['say', { as: 'U0ADA', channel: 'C0GENERAL', text: '  ' }, 'no_text'],
    ['say', { as: 'U0ADA', text: 'x' }, 'invalid_arguments'],
    ['shout', {}, 'unknown_path'],
    ['channels', { as: 'U0ADA', name: 'general' }, 'name_taken'],
    ['channels', { as: 'U0ADA', name: 'No Good' }, 'invalid_name'],
    ['channels', { as: 'U0GUS', name: 'mine' }, 'restricted_action'],
    ['rules', { patience: 1 }, 'invalid_arguments'],
    ['invite', { as: 'U0ADA', channel: 'C0GENERAL', user: 'U0EVE' }, 'not_in_team'],
  ])('the workspace’s own API refuses the request %s with the body %j and the error %s', async (path, body, error) => {
    const answer = await stage.person(path, body as Record<string, unknown>);
    expect(answer).toMatchObject({ ok: false, error, why: expect.any(String) });
  });

  it('the workspace’s own API shows each person the channels that the person may see', async () => {
    const names = async (as: string) =>
      ((await stage.look('state', { as })).channels as { name: string }[]).map((one) => one.name);
    expect(await names('U0ADA')).toEqual(['general', 'front-gate', 'stock-room', 'managers', 'partner-venue']);
    expect(await names('U0MIA')).not.toContain('managers');
    expect(await names('U0GUS')).toEqual(['front-gate']);
    expect(await names('U0EVE')).toEqual(['partner-venue']);
    expect(await stage.look('state', { as: 'U0MIA' })).toMatchObject({
      me: { id: 'U0MIA', tz: 'America/Chicago', is_admin: false },
      commands: [{ command: '/barcode', usage_hint: 'VALUE' }],
    });
  });
});
