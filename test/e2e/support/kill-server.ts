import { expect } from '@playwright/test';
import { lockHolder, startLock } from '@/bin/start/lock';
import { findEmbedded } from '@/db/embedded';
import { readSecrets } from '@/lib/config/secrets';
import { childrenOf } from '../../support/instance';
import { home } from './database';

/** Kills web, worker and database at once, and keeps them down until `back`. */
export function killServer(): { back: () => void } {
  const starter = lockHolder(startLock(home))?.pid ?? 0;
  const database = findEmbedded(home, readSecrets(home)?.databasePassword ?? '')?.pid ?? 0;
  expect(Math.min(starter, database)).toBeGreaterThan(0);
  // Who would start them again at once is stopped.
  process.kill(starter, 'SIGSTOP');
  for (const pid of [...childrenOf(starter), database]) process.kill(pid, 'SIGKILL');
  return { back: () => process.kill(starter, 'SIGCONT') };
}
