import { type EmbeddedServer, hasExited, startEmbedded } from '@/db/embedded';
import type { Journal } from './journal';
import type { Stoppable } from './shutdown';

const lookEveryMs = 2_000;

/** Starts PostgreSQL again at the same address should it die, and stops it in the end. */
export function watchDatabase(
  home: string,
  first: EmbeddedServer,
  password: string,
  journal: Journal,
): Stoppable {
  let server = first;
  let stopped = false;
  const look = async () => {
    if (stopped || !(await hasExited(server.pid, 0))) return;
    journal.say('PostgreSQL has died; it is started again.');
    try {
      server = await startEmbedded(home, password, { port: first.port });
    } catch (error) {
      journal.say(`PostgreSQL cannot be started again: ${(error as Error).message}`);
    }
  };
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookEveryMs);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await server.stop();
    },
    kill: () => void server.stop(),
  };
}
