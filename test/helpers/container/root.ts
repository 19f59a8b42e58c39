/**
 * A root file system to build and run in without a container engine: the machine's programs and libraries read-only,
 * its own Node and npm, and everything else separate. Needs root, on Linux.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Running {
  readonly user: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether only `volumes` and `tmpfs` are writable. */
  readonly readOnly?: boolean;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
}

export interface Root {
  /** The machine's path of a path inside the root. */
  at(path: string): string;
  start(command: readonly string[], how: Running): ChildProcess;
}

/** The variables of a base image, and those an install needs to reach its registry. */
const baseEnv: Readonly<Record<string, string>> = {
  PATH: '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...Object.fromEntries(
    ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'].flatMap((name) =>
      process.env[name] ? [[name, process.env[name]]] : [],
    ),
  ),
};

/** The user `node`, as in Node's official images. */
const nodeUser = 'node:x:1000:1000::/home/node:/bin/sh\n';

export function createRoot(folder: string): Root {
  if (process.getuid?.() !== 0) {
    throw new Error('carrying out the Dockerfile without a container engine needs root, on Linux');
  }
  const at = (path: string) => join(folder, path);
  for (const own of ['proc', 'dev', 'tmp', 'root/.npm', 'home/node', 'etc', 'opt/node/bin', 'opt/node/lib/npm']) {
    mkdirSync(at(own), { recursive: true });
  }
  const binds: [string, string][] = [
    ['/proc', '/proc'],
    ['/dev', '/dev'],
  ];
  for (const shared of ['usr', 'bin', 'sbin', 'lib', 'lib64'].filter((name) => existsSync(`/${name}`))) {
    if (lstatSync(`/${shared}`).isSymbolicLink()) {
      symlinkSync(readlinkSync(`/${shared}`), at(shared));
    } else {
      mkdirSync(at(shared));
      binds.push([`/${shared}`, `/${shared}`]);
    }
  }
  const names = ['passwd', 'group', 'hosts', 'resolv.conf', 'nsswitch.conf', 'ssl/certs', 'ld.so.cache'];
  for (const file of [...names.map((name) => `/etc/${name}`), process.env.NODE_EXTRA_CA_CERTS ?? '']) {
    if (file !== '' && existsSync(file) && !existsSync(at(file))) {
      cpSync(file, at(file), { recursive: true, dereference: true });
    }
  }
  const passwd = readFileSync(at('etc/passwd'), 'utf8');
  writeFileSync(at('etc/passwd'), nodeUser + passwd.replace(/^node:.*\n/m, ''));
  appendFileSync(at('etc/group'), 'node:x:1000:\n');

  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  writeFileSync(at('opt/node/bin/node'), '');
  symlinkSync('../lib/npm/bin/npm-cli.js', at('opt/node/bin/npm'));
  binds.push([process.execPath, '/opt/node/bin/node'], [join(dirname(npm), '..'), '/opt/node/lib/npm']);
  // An install reuses packages that were downloaded before.
  const cache = join(homedir(), '.npm');
  if (existsSync(cache)) {
    binds.push([cache, '/root/.npm']);
  }

  return {
    at,
    start(command, { user, cwd, env, readOnly, volumes = [], tmpfs = [] }) {
      const [, uid = '', gid = ''] =
        new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync(at('etc/passwd'), 'utf8')) ?? [];
      const mounts = [
        ['--bind', folder, folder],
        ...binds.map(([from, to]) => ['--rbind', from, at(to)]),
        ...volumes.map((path) => ['--bind', at(path), at(path)]),
        ...tmpfs.map((path) => ['-t', 'tmpfs', 'tmpfs', at(path)]),
        ...(readOnly ? [['-o', 'remount,bind,ro', folder]] : []),
      ];
      const variables = Object.entries({ ...baseEnv, HOME: user === 'root' ? '/root' : `/home/${user}`, ...env });
      const script = [
        ...mounts.map((args) => `mount ${args.map(quoted).join(' ')}`),
        `exec chroot --userspec=${uid}:${gid} --groups=${gid} ${quoted(folder)} env -i "$@"`,
      ].join('\n');
      // Each program replaces the one before it, so that a signal reaches the command itself.
      return spawn(
        'unshare',
        [
          ...['--mount', '--propagation', 'private', 'sh', '-ec', script, 'sh'],
          ...variables.map(([name, value]) => `${name}=${value}`),
          ...['sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command],
        ],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
    },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
