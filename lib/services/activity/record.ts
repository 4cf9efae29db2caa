import { type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';

export interface AuditEntry {
  actor: Author;
  /** What was done, past tense left out: `project.create`, `member.add`. */
  verb: string;
  /** The kind of thing it was done to, in the words of the design. */
  subject: string;
  subjectId?: string | null;
  projectId?: string | null;
  detail?: Record<string, unknown>;
}

/** Writes down who did what, in the transaction that does it: both happen or neither. */
export async function record(tx: Db, entry: AuditEntry): Promise<void> {
  await tx.insert(tables.auditLog).values({
    actorId: actorId(entry.actor),
    actor: nameOf(entry.actor),
    verb: entry.verb,
    subject: entry.subject,
    subjectId: entry.subjectId ?? null,
    projectId: entry.projectId ?? null,
    detail: entry.detail ?? {},
    requestId: entry.actor.kind === 'user' ? entry.actor.requestId : null,
  });
}

/** Kept as text beside the id, because the log outlives accounts. */
const nameOf = (actor: Author): string =>
  actor.kind === 'system' ? actor.name : `${actor.name}${actor.via === 'key' ? ' (API key)' : ''}`;
