/**
 * Disks that fill up and have space again, for tests of the app's process: a small file system where the test may mount
 * one (as root), and a file size limit, which any user may set on their own process.
 */
import { execFile, execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AppProcess } from '../app-process.js';

const run = promisify(execFile);

export interface SmallDisk {
  /** The database's folder. */
  readonly folder: string;
  /** Uses up all space. */
  fill(app: AppProcess): Promise<void>;
  /** Frees the space. */
  free(app: AppProcess): Promise<void>;
  close(): Promise<void>;
}

export interface DiskKind {
  readonly name: string;
  open(): Promise<SmallDisk>;
}

/** The kinds of disks available on this machine. */
export function diskKinds(): readonly DiskKind[] {
  return mayMount() ? [smallFileSystem, limitedFiles] : [limitedFiles];
}

const megabyte = 1024 * 1024;

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}

/** ENOSPC: the usual full disk. */
const smallFileSystem: DiskKind = {
  name: 'a file system without room',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'scandesk-disk-'));
    await run('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=700', 'tmpfs', folder]);
    const unmount = () => execFileSync('umount', ['--lazy', folder]);
    process.once('exit', unmount);
    const ballast = join(folder, 'ballast');
    return {
      folder,
      async fill() {
        // The file grows in ever smaller pieces, until not even 512 bytes fit.
        for (let size = megabyte; size >= 512; ) {
          try {
            await appendFile(ballast, Buffer.alloc(size, 1));
          } catch {
            size /= 2;
          }
        }
      },
      async free() {
        await rm(ballast, { force: true });
      },
      async close() {
        process.off('exit', unmount);
        unmount();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

/** EFBIG: a quota or a service manager's limit. Node fails the write instead of ending the process. */
const limitedFiles: DiskKind = {
  name: 'a limit on the size of files',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'scandesk-disk-'));
    const limit = (app: AppProcess, size: string) => run('prlimit', ['--pid', `${app.pid}`, `--fsize=${size}:`]);
    return {
      folder,
      async fill(app) {
        // The larger of the two files may be many megabytes: the smaller would go on growing for minutes.
        const sizes = await Promise.all(['scandesk.db', 'scandesk.db-wal'].map((name) => stat(join(folder, name))));
        await limit(app, `${Math.min(...sizes.map(({ size }) => size))}`);
      },
      async free(app) {
        if (!app.hasEnded) {
          await limit(app, 'unlimited');
        }
      },
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
};
