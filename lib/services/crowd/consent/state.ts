import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type ConsentText, newestText } from './texts';

const { consents, memberships, projects } = tables;

/** `outdated`: the person agreed to an older text. Only `agreed` opens the work. */
export type ConsentState = 'agreed' | 'missing' | 'outdated' | 'withdrawn';

export interface Consent {
  state: ConsentState;
  text: ConsentText;
  /** When the newest row about this person was written. */
  since: Date | null;
}

export async function consentOf(
  db: Db,
  { projectId, workerId }: { projectId: string; workerId: string },
): Promise<Consent> {
  const text = await newestText(db, projectId);
  const last = await lastConsent(db, projectId, workerId);
  return { state: stateOf(last, text.id), text, since: last?.createdAt ?? null };
}

export async function lastConsent(db: Db, projectId: string, workerId: string) {
  const [last] = await db
    .select()
    .from(consents)
    .where(and(eq(consents.workerId, workerId), eq(consents.projectId, projectId)))
    .orderBy(desc(consents.id))
    .limit(1);
  return last;
}

function stateOf(
  last: { kind: 'agreed' | 'withdrawn'; consentTextId: string } | undefined,
  newest: string,
): ConsentState {
  if (!last) return 'missing';
  if (last.kind === 'withdrawn') return 'withdrawn';
  return last.consentTextId === newest ? 'agreed' : 'outdated';
}

export interface WorkerConsent extends Pick<Consent, 'state' | 'since'> {
  project: { id: string; slug: string; name: string };
}

/** The same in every project that a person works in. */
export async function workerConsents(db: Db, workerId: string): Promise<WorkerConsent[]> {
  const rows = await db
    .select({ id: projects.id, slug: projects.slug, name: projects.name })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(and(eq(memberships.userId, workerId), eq(memberships.role, 'worker')))
    .orderBy(projects.name, projects.id);
  return Promise.all(
    rows.map(async (project) => {
      const { state, since } = await consentOf(db, { projectId: project.id, workerId });
      return { project, state, since };
    }),
  );
}
