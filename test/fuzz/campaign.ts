import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@/db';
import type { Rng } from '@/lib/core/robustness/random';
import { scopeIds } from '@/lib/services/access';
import { keyOf, password, person } from '../services/access/people';
import type { World } from '../support/one-of-each';
import { type Attack, type Reply, send } from './attack';
import { faultIn } from './fault';
import type { HostileFile } from './files';

/** Requests that are on their way together. */
const atOnce = 4;

/** One run against one instance: what was sent, what came back, and what should not have. */
export class Campaign {
  readonly faults = new Map<string, number>();
  readonly counts: Record<string, number> = {};
  readonly statuses: Record<string, number> = {};
  private until = 0;

  constructor(
    readonly url: string,
    readonly db: Database,
    readonly chance: Rng,
    readonly files: readonly HostileFile[],
  ) {}

  /** Gives a part of the run its time. */
  begin(ms: number): void {
    this.until = Date.now() + ms;
  }

  readonly isOver = () => Date.now() > this.until;

  blame(fault: string): void {
    if (!this.faults.has(fault)) console.log(`FAULT ${fault.slice(0, 400)}`);
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  async send(kind: string, attack: Attack): Promise<Reply> {
    for (;;) {
      const reply = await send(this.url, attack);
      // The brake on requests is tested elsewhere; here it would hide what lies behind it.
      if (reply.status === 429 && !this.isOver()) {
        await sleep(1000);
        continue;
      }
      this.counts[kind] = (this.counts[kind] ?? 0) + 1;
      this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
      const fault = faultIn(attack, reply);
      if (fault) this.blame(fault);
      return reply;
    }
  }

  async sendAll(kind: string, attacks: Iterable<Attack>): Promise<void> {
    const waiting = [...attacks];
    const one = async () => {
      for (let attack = waiting.pop(); attack && !this.isOver(); attack = waiting.pop())
        await this.send(kind, attack);
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  tell(kind: string): void {
    console.log(`${this.counts[kind] ?? 0} ${kind}, ${this.faults.size} kinds of fault`);
  }

  /** An admin, and somebody with every role in the project, by key and by cookie. */
  async callersOf({ member }: World): Promise<Record<string, string>[]> {
    const admin = await person(this.db, 'Ada', true);
    const keys = [await keyOf(this.db, admin, ...scopeIds), await keyOf(this.db, member, ...scopeIds)];
    return [...keys.map((key) => ({ authorization: `Bearer ${key}` })), await this.browser(member.email)];
  }

  private async browser(email: string): Promise<Record<string, string>> {
    const reply = await fetch(`${this.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.url },
      body: JSON.stringify({ email, password }),
    });
    const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { cookie: cookie.join('; '), origin: this.url };
  }
}
