import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The user that PostgreSQL runs as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Users that most systems have; the first one found is taken, so that no user has to be created. */
const unprivileged = ['postgres', '_postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so that root hands it to another user: the owner of the data when there
 * is data already. Undefined: PostgreSQL runs as the current user.
 */
export function accountFor(dataFolder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readUsers();
  const owner = statSync(dataFolder, { throwIfNoEntry: false })?.uid;
  const account =
    users.find((user) => owner && user.uid === owner) ??
    unprivileged.map((name) => users.find((user) => user.name === name)).find((user) => user !== undefined);
  if (!account) {
    throw new Error(
      'PostgreSQL does not run as root, and this system has neither a user `postgres` nor `nobody`. Create one (adduser --system postgres) or start Tessera as an ordinary user.',
    );
  }
  return account;
}

function readUsers(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => line.includes(':') && !line.startsWith('#'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':');
      // macOS writes nobody's number as -2; the system calls want it unsigned.
      return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    });
}

/** How to start a program as that user, with nothing of our environment but the search path. */
export const runAs = (account: Account | undefined) => ({
  cwd: '/',
  uid: account?.uid,
  gid: account?.gid,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv,
});

/** Asks the system itself, as that user, so that ACLs and mount options count too. */
export function mayAccess(account: Account | undefined, path: string, right: 'r' | 'x'): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', `test -${right} "$1"`, 'sh', path], {
    ...runAs(account),
    stdio: 'ignore',
  });
  return status === 0;
}
