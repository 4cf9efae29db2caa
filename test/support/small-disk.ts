import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A disk for one program that can be filled and made read-only.
 *
 * Where the machine lets us mount (as root, or in a user namespace), it is a small tmpfs in a mount namespace of the
 * program: nobody else sees it, and it ends with the program. Elsewhere the limit of the file size stands in for a
 * full disk, and there is no read-only one.
 */
export interface SmallDisk {
  kind: 'tmpfs' | 'file size limit';
  /** The command line that runs a command on this disk. */
  wrap(command: readonly string[]): string[];
  /** The folder as this process sees it while the program runs. */
  seen(pid: number): string;
}

export interface DiskFault {
  name: string;
  /** What people are told. */
  says: RegExp;
  begin(folder: string, pids: readonly number[]): void;
  end(folder: string, pids: readonly number[]): void;
}

export const DISK_MEGABYTES = 24;

const isRoot = process.getuid?.() === 0;
const namespace = ['unshare', ...(isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'])];
const enter = (pid: number) => [
  'nsenter',
  `--target=${pid}`,
  '--mount',
  ...(isRoot ? [] : ['--user', '--preserve-credentials']),
];

function run([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function mustRun(command: readonly string[]): void {
  const [program = '', ...args] = command;
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? stderr}`);
}

const canMount = (): boolean =>
  process.env.TESSERA_TEST_MOUNT !== 'off' && run([...namespace, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);

const mountable = canMount();
const seenBy = (folder: string, pid: number | undefined) => `/proc/${pid}/root${folder}`;

export const smallDisk = (folder: string): SmallDisk =>
  mountable
    ? {
        kind: 'tmpfs',
        wrap: (command) => [...namespace, 'sh', '-c', MOUNT, folder, ...command],
        seen: (pid) => seenBy(folder, pid),
      }
    : { kind: 'file size limit', wrap: (command) => [...command], seen: () => folder };

const MOUNT = `mount -t tmpfs -o size=${DISK_MEGABYTES}m,mode=711 tmpfs "$0" && exec "$@"`;

function fill(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc((DISK_MEGABYTES + 1) * 1024 * 1024));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const remount = (how: 'ro' | 'rw') => (folder: string, pids: readonly number[]) =>
  mustRun([...enter(pids[0] as number), 'mount', '-o', `remount,${how}`, folder]);

const limitFiles = (bytes: string) => (_: string, pids: readonly number[]) => {
  for (const pid of pids) mustRun(['prlimit', `--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
};

/** The faults that this machine can produce. */
export const diskFaults: readonly DiskFault[] = mountable
  ? [
      {
        name: 'a full disk',
        says: /is full/,
        begin: (folder, [pid]) => fill(path.join(seenBy(folder, pid), 'filler')),
        end: (folder, [pid]) => rmSync(path.join(seenBy(folder, pid), 'filler')),
      },
      { name: 'a read-only disk', says: /read-only/, begin: remount('ro'), end: remount('rw') },
    ]
  : [
      {
        name: 'a limit of the file size',
        says: /larger than this disk or this account allows/,
        begin: limitFiles('0'),
        end: limitFiles('unlimited'),
      },
    ];
