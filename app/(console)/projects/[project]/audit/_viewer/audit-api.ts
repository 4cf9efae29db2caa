import type { z } from 'zod';
import type {
  Audit,
  AuditLabel as AuditLabelFields,
  QueueRow as QueueRowFields,
} from '@/app/api/v1/audit-fields';
import type { AnswerValue } from '@/lib/core/quality/answer';

export type AuditLabel = z.output<typeof AuditLabelFields>;
export type AuditAnswer = AuditLabel['answers'][number];
export type QueueRow = z.output<typeof QueueRowFields>;
export type AuditState = z.output<typeof Audit>;

export type NewVerdict =
  | { verdict: 'accepted' }
  | { verdict: 'rejected' | 'sent-back'; reason: string }
  | { verdict: 'corrected'; value: AnswerValue };

/** The server refused, and says why in words for the person. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const LOST = 'The server did not answer. Check the connection and try again.';

async function ask<T>(project: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/api/v1/projects/${project}/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new Refused(0, LOST);
  });
  const answer = (await response.json().catch(() => null)) as { detail?: string; title?: string } | null;
  if (!response.ok)
    throw new Refused(
      response.status,
      answer?.detail ?? answer?.title ?? `The server answered ${response.status}.`,
    );
  return answer as T;
}

/** What the audit pages ask of the server, for one project. */
export function auditApi(project: string) {
  return {
    label: (labelId: string) => ask<AuditLabel>(project, 'GET', `audit/labels/${labelId}`),
    queue: (query: URLSearchParams) =>
      ask<{ items: QueueRow[]; next: string | null }>(project, 'GET', `audit/queue?${query}`),
    decide: (labelId: string, decisionId: string, verdict: NewVerdict) =>
      ask<{ decisionId: string; newLabelId: string | null }>(
        project,
        'POST',
        `audit/labels/${labelId}/decision`,
        {
          id: decisionId,
          ...verdict,
        },
      ),
    decideMany: (
      labels: readonly { labelId: string; id: string }[],
      verdict: { verdict: 'accepted' } | { verdict: 'rejected'; reason: string },
    ) =>
      ask<{ items: { labelId: string; decisionId: string | null; problem: string | null }[] }>(
        project,
        'POST',
        'audit/decisions',
        { ...verdict, labels },
      ),
    undo: (decisionId: string) =>
      ask<{ labelId: string }>(project, 'POST', `audit/decisions/${decisionId}/undo`),
    judge: (auditId: string, labelId: string, verdict: 'right' | 'wrong' | null) =>
      ask<AuditState>(project, 'PUT', `audits/${auditId}/labels/${labelId}`, { verdict }),
  };
}

export type AuditApi = ReturnType<typeof auditApi>;
