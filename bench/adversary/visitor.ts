import { createHash } from 'node:crypto';
import { type Database, newId, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { createKey, systemActor, type UserActor } from '@/lib/services/access';
import { createUser } from '@/lib/services/accounts';
import { newestText } from '@/lib/services/crowd/consent/texts';
import { inProcess } from '@/test/demo/simulation/in-process';
import type { Target } from './project';

export interface SeenItem {
  leaseId: string;
  position: number;
  state: string;
  schemaVersionId: string;
  className: string | null;
  image: { width: number; height: number; working: { url: string; width: number; height: number } };
  target: { id: string; definition: string | null } | null;
  neighbours: { target: string; counts: string }[];
  hasOutline: boolean;
  draft: unknown;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array;
  ms: number;
}

/** Requests with one key before the rate limit for scripts applies. */
const REQUESTS_PER_KEY = 250;
const ORIGIN = 'http://localhost:3000';

/** A worker with nothing but the HTTP API. */
export class Visitor {
  private key = '';
  private used = REQUESTS_PER_KEY;

  private constructor(
    private readonly db: Database,
    readonly actor: UserActor,
    readonly target: Target,
  ) {}

  /** Opens an account and joins; `isQualified` skips the exam. */
  static async join(
    db: Database,
    target: Target,
    { isQualified, cohort = null }: { isQualified: boolean; cohort?: string | null },
  ): Promise<Visitor> {
    const { projectId, stageId } = target;
    const email = `${newId()}@example.org`;
    const made = { name: 'Visitor', email, passwordHash: null };
    const { id: userId } = await createUser(db, systemActor('adversary'), made);
    await db.insert(tables.memberships).values({ projectId, userId, role: 'worker', cohort });
    const { id: consentTextId } = await newestText(db, projectId);
    await db.insert(tables.consents).values({ projectId, workerId: userId, consentTextId, kind: 'agreed' });
    if (isQualified) await passExam(db, { projectId, stageId, workerId: userId });
    const rest = { isAdmin: false, scopes: null, requestId: null, credentialId: newId() };
    return new Visitor(db, { kind: 'user', userId, name: 'Visitor', email, via: 'session', ...rest }, target);
  }

  async request(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Reply> {
    if (this.used >= REQUESTS_PER_KEY) {
      const scopes = ['read', 'labels:write'] as const;
      this.key = (
        await createKey(this.db, this.actor, { name: newId(), scopes: [...scopes], expiresAt: null })
      ).key;
      this.used = 0;
    }
    this.used += 1;
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    const began = performance.now();
    const reply = await inProcess(`${ORIGIN}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    return { status: reply.status, headers: reply.headers, body: bytes, ms: performance.now() - began };
  }

  async json<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
    const reply = await this.request(method, `/api/v1${path}`, body);
    const text = new TextDecoder().decode(reply.body);
    if (reply.status >= 300) throw new Refused(reply.status, text);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** A batch of a kind with its items; null when there is none or a gate is closed. */
  async take(kind: 'batch' | 'practice' = 'batch'): Promise<{ id: string; items: SeenItem[] } | null> {
    try {
      const path = `/work/stages/${this.target.stageId}/${kind}`;
      const { batch } = await this.json<{ batch: { id: string } | null }>('POST', path);
      return (
        batch && (await this.json<{ id: string; items: SeenItem[] }>('GET', `/work/batches/${batch.id}`))
      );
    } catch (error) {
      if (error instanceof Refused && error.status === 409) return null;
      throw error;
    }
  }

  async answer(leaseId: string, value: AnswerValue): Promise<Reply> {
    const body = { id: newId(), value, activeMs: 20_000 };
    const reply = await this.request('POST', `/api/v1/work/leases/${leaseId}/answer`, body);
    if (reply.status === 422 || reply.status === 400)
      throw new Refused(reply.status, 'The answer is not valid.');
    return reply;
  }

  /** The hash of the pixels: what colluding workers can compare whatever the address is. */
  async pixels(item: SeenItem): Promise<string> {
    const { body } = await this.request('GET', item.image.working.url);
    return createHash('sha256').update(body).digest('hex');
  }
}

/** A worker of a project who has passed its exam. */
export const newcomer = (db: Database, target: Target) => Visitor.join(db, target, { isQualified: true });

export const submit = (visitor: Visitor, batchId: string) =>
  visitor.json('POST', `/work/batches/${batchId}/submit`);

export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status}: ${text}`);
  }
}

async function passExam(
  db: Database,
  where: { projectId: string; stageId: string; workerId: string },
): Promise<void> {
  const now = new Date();
  const batchId = newId();
  const batch = { kind: 'exam' as const, state: 'submitted' as const, leasedUntil: now, submittedAt: now };
  await db.insert(tables.batches).values({ id: batchId, ...where, ...batch });
  await db.insert(tables.exams).values({ ...where, batchId, attempt: 1, passed: true, finishedAt: now });
}
