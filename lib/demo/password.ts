import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '@/lib/config';

/** Easy to read aloud and to type: no l, o, 0 or 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * The password of the demo sign-ins. Made at first start rather than known to the world, because people
 * put demo instances on the internet.
 */
export async function demoPassword(): Promise<string> {
  const { home, TESSERA_DEMO_PASSWORD } = readConfig();
  if (TESSERA_DEMO_PASSWORD) return TESSERA_DEMO_PASSWORD;
  const file = path.join(home, 'demo-password');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim()) return kept.trim();
  const letters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const made = letters.replace(/(.{4})(?=.)/g, '$1-');
  await mkdir(home, { recursive: true });
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
