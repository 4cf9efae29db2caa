import type { z } from 'zod';
import type { WorkBatch as BatchFields, Closed } from '@/app/api/v1/work-fields';
import { defaultLocale, readLocale } from '@/lib/core/i18n/locales';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { InteractionSummary } from '@/lib/core/quality/interaction';

export type WorkBatch = z.output<typeof BatchFields>;
export type WorkItem = WorkBatch['items'][number];
export type ClosedBatch = z.output<typeof Closed>;

/** The server answered, and not with what was asked for. A server that does not answer throws a TypeError. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  get isSignedOut(): boolean {
    return this.status === 401;
  }

  /** Worth trying again as it is. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** The browser's limit for requests that outlive their page is 64 KiB in all. */
const KEEPALIVE_BYTES = 60_000;

/** Names and definitions come in the language of the page. */
const language = () => `?language=${readLocale(document.documentElement.lang) ?? defaultLocale}`;

export const getBatch = (batch: string) => ask<WorkBatch>('GET', `batches/${batch}${language()}`);

export const beat = (batch: string) => ask<unknown>('POST', `batches/${batch}/heartbeat`);

export const closeBatch = (batch: string) => ask<ClosedBatch>('POST', `batches/${batch}/submit`);

export type DraftWrite = {
  revision: number;
  document: unknown;
  activeMs: number;
  /** The item is done. */
  answer?: { value: AnswerValue; interaction: InteractionSummary; programCode?: string };
};

export const putDraft = (lease: string, draft: DraftWrite) =>
  ask<{ revision: number }>('PUT', `leases/${lease}/draft`, draft);

export type NewAnswer = {
  id: string;
  value: AnswerValue;
  activeMs: number;
  interaction: InteractionSummary;
  programCode?: string;
};

export const postAnswer = (lease: string, answer: NewAnswer) =>
  ask<{ answerId: string; isOver: boolean }>('POST', `leases/${lease}/answer`, answer);

export interface Feedback {
  passed: boolean;
  score: Readonly<Record<string, number>>;
  /** The mask as compressed COCO counts of the upright image. */
  truth: { value: AnswerValue; mask: string | null };
}

export const getFeedback = (lease: string) => ask<Feedback>('GET', `leases/${lease}/feedback${language()}`);

export const postReport = (
  lease: string,
  report: { id: string; kind: 'comment' | 'broken-image'; text: string },
) => ask<{ leaseState: WorkItem['state'] }>('POST', `leases/${lease}/report`, report);

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const isSmall = (text?.length ?? 0) < KEEPALIVE_BYTES;
  const response = await fetch(`/api/v1/work/${path}`, {
    method,
    cache: 'no-store',
    keepalive: method !== 'GET' && isSmall,
    ...(text !== undefined && { body: text, headers: { 'content-type': 'application/json' } }),
  });
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => ({}));
  throw new Refused(
    response.status,
    problem.detail ?? `The server answered ${response.status}.`,
    problem.more,
  );
}
