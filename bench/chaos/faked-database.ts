import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedServer, findEmbedded, startEmbedded } from '@/db/embedded';
import { runAs } from '@/db/embedded/account';
import { binary } from '@/db/embedded/binaries';
import { settings } from '@/db/embedded/settings';

/**
 * Starts the embedded PostgreSQL of a home with more variables in its environment, which the product never passes on
 * to it. A starter that finds it running joins it.
 */
export async function startDatabaseWith(
  home: string,
  password: string,
  env: Record<string, string>,
): Promise<EmbeddedServer> {
  const made = await startEmbedded(home, password);
  await made.stop();
  const { place, port } = made;
  const account = runAs(place.account);
  const options = Object.entries({ ...settings.durable, port: String(port) });
  spawn(
    binary(place.binaries, 'postgres'),
    ['-D', place.data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account, env: { ...account.env, ...env }, detached: true, stdio: 'ignore' },
  ).unref();
  while (!findEmbedded(home, password)) await sleep(100);
  return startEmbedded(home, password);
}
