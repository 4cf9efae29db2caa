import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';

const secretsFile = z.object({ secret: z.string().min(32), databasePassword: z.string().min(16) });

export type Secrets = z.infer<typeof secretsFile>;

/** The secrets of this installation: made at first start, readable by its owner only. */
export function ensureSecrets(home: string): Secrets {
  return readSecrets(home) ?? createSecrets(home);
}

export function readSecrets(home: string): Secrets | undefined {
  const file = path.join(home, 'secrets.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new TesseraError(
      'unavailable',
      `${file} cannot be read (${code}). Start Tessera as the user who owns it, or set TESSERA_HOME to another folder.`,
    );
  }
  try {
    return secretsFile.parse(JSON.parse(text));
  } catch {
    throw new TesseraError(
      'unavailable',
      `${file} is damaged. Restore it from a backup: the embedded database opens only with the password in it.`,
    );
  }
}

/** Written beside and linked into place: of two starts at the same moment, both use the secrets of one. */
function createSecrets(home: string): Secrets {
  const file = path.join(home, 'secrets.json');
  const draft = `${file}.${process.pid}`;
  const made: Secrets = {
    secret: randomBytes(32).toString('base64url'),
    databasePassword: randomBytes(24).toString('base64url'),
  };
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readSecrets(home) as Secrets;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Puts the secret of a backup in the place of the one made here; the password of the database stays its own. */
export function keepSecret(home: string, secret: string): void {
  const file = path.join(home, 'secrets.json');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...ensureSecrets(home), secret }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
