import { type EmbeddedServer, hasExited, parentOf, startEmbedded } from '@/db/embedded';
import type { Journal } from './child';

/** A part of the instance that has to end. */
interface Stoppable {
  /** The end has begun: whatever goes from now on was meant to, a signal to the whole group for instance. */
  expectEnd?(): void;
  stop(): Promise<void> | void;
  /** At once, without waiting: somebody has pressed Ctrl-C a second time. */
  kill(): void;
}

/** Thrown at whatever was going on when the person asked to stop. */
export class Interrupted extends Error {}

const lookForNpmEveryMs = 2_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends the parts of the instance in the opposite order of their beginning. */
export class Shutdown {
  private readonly parts: Stoppable[] = [];
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  constructor() {
    for (const signal of signals) process.on(signal, () => this.ask());
    this.followNpm();
  }

  add(part: Stoppable): void {
    this.parts.push(part);
  }

  /** Waits for the work, or stops waiting when asked to stop. */
  async unlessAsked<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.asked.then(() => Promise.reject(new Interrupted()))]);
  }

  /** Resolves when somebody asks to stop. */
  readonly asked = new Promise<void>((done) => {
    this.signal.addEventListener('abort', () => done());
  });

  async run(): Promise<void> {
    // Also after a fault, so that whatever listens to the signal ends.
    this.controller.abort();
    for (const part of this.parts) part.expectEnd?.();
    for (let part = this.parts.pop(); part; part = this.parts.pop()) await part.stop();
  }

  private ask(): void {
    if (this.signal.aborted) {
      for (const part of this.parts.reverse()) part.kill();
      process.exit(130);
    }
    this.controller.abort();
  }

  /**
   * npm passes signals on, but cannot when it is killed itself: then our parent changes, or, where npm put a
   * shell in between, the parent of our parent. We go too, or the next start would find us in its way.
   */
  private followNpm(): void {
    if (!process.env.npm_lifecycle_event) return;
    const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`;
    const first = ancestors();
    setInterval(() => {
      if (ancestors() !== first && !this.signal.aborted) this.controller.abort();
    }, lookForNpmEveryMs).unref();
  }
}

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
