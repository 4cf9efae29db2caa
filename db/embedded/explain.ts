import { TesseraError } from '@/lib/core/errors';

const causes: { sign: RegExp; message: string }[] = [
  {
    sign: /password authentication failed/i,
    message:
      'The password in secrets.json is not the one this database was made with. Put the secrets.json that belongs to it back into TESSERA_HOME.',
  },
  {
    sign: /no space left on device|ENOSPC|disk quota exceeded/i,
    message: 'The disk is full. Make room, or set TESSERA_HOME to a folder on another disk.',
  },
  {
    sign: /read-only file system|EROFS/i,
    message: 'The file system is read-only. Set TESSERA_HOME to a folder that can be written.',
  },
  {
    sign: /permission denied|EACCES|EPERM|not permitted|wrong ownership/i,
    message:
      'The folder may not be used by this user. Start Tessera as the user who owns it, or set TESSERA_HOME to another folder.',
  },
  {
    sign: /could not (create|map|resize) .*shared memory|shmget/i,
    message: 'The system gives no shared memory. In a container, raise it (docker run --shm-size=256m).',
  },
  {
    sign: /error while loading shared libraries|not found \(required by|Exec format error|ENOENT/i,
    message:
      'The PostgreSQL that npm brought does not run on this system. Use one of your own: DATABASE_URL=postgres://user:password@host/database.',
  },
];

/** Says what to do where the cause is known, and always shows what PostgreSQL itself said. */
export function explain(what: string, said: string, folder: string): TesseraError {
  const cause = causes.find(({ sign }) => sign.test(said));
  const lines = said.trim().split('\n').slice(-12);
  return new TesseraError(
    'unavailable',
    [`${what} (${folder}).`, ...(cause ? [cause.message] : []), ...lines.map((line) => `  ${line}`)].join(
      '\n',
    ),
  );
}
