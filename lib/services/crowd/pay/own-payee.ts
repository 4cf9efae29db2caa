import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import { type PayeeDetails, type PayeeMethod, type PaySchedule, payeeMethods } from '@/lib/core/payee';
import { type Actor, authorise, type UserActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { effectivePolicy } from '../work/effective-policy';
import { openPayee, sealPayee } from './seal-payee';

const { arrivals, memberships, payees, projects } = tables;

export interface OwnPayee {
  project: { id: string; name: string; slug: string };
  /** False: the project has stopped asking, or never did; what is stored can only be deleted. */
  isAsked: boolean;
  methods: PayeeMethod[];
  schedule: PaySchedule;
  /** `unreadable`: stored under a secret that this instance no longer has. */
  state: 'missing' | 'stored' | 'unreadable';
  details: PayeeDetails | null;
  updatedAt: Date | null;
}

type Row = OwnPayee['project'] & {
  policy: Record<string, unknown>;
  isOwnPool: boolean;
  sealed: string | null;
  updatedAt: string | null;
};

/** Workers whom a marketplace sent are paid there and are never asked. */
export const isSentBy = (projectId: unknown, workerId: unknown) => sql`exists (
  select 1 from ${arrivals} came where came.project_id = ${projectId} and came.worker_id = ${workerId})`;

/** How a project asks for payee details. A policy that cannot be read asks for nothing. */
export function payeeSettings(policy: Record<string, unknown>) {
  try {
    const { payees: settings } = effectivePolicy(policy, {});
    return {
      isOn: settings.isOn,
      methods: payeeMethods.filter((method) => settings[method]),
      schedule: settings.schedule,
    };
  } catch {
    return { isOn: false, methods: [], schedule: 'as-described' as const };
  }
}

/** Lists the projects that ask a worker for payee details or store some, with the worker's own details. */
export async function ownPayees(db: Db, workerId: string): Promise<OwnPayee[]> {
  const found = await db.execute<Row>(sql`
    select p.id, p.name, p.slug, p.policy, y.sealed, y.updated_at as "updatedAt",
      m.user_id is not null and not ${isSentBy(sql`p.id`, workerId)} as "isOwnPool"
    from ${projects} p
    left join ${memberships} m on m.project_id = p.id and m.user_id = ${workerId} and m.role = 'worker'
    left join ${payees} y on y.project_id = p.id and y.worker_id = ${workerId}
    where m.user_id is not null or y.worker_id is not null order by p.name, p.id`);
  return found.rows
    .map(({ policy, isOwnPool, sealed, updatedAt, ...project }): OwnPayee => {
      const { isOn, methods, schedule } = payeeSettings(policy);
      const details = sealed === null ? null : openPayee({ projectId: project.id, workerId }, sealed);
      return {
        project,
        isAsked: isOn && isOwnPool,
        methods,
        schedule,
        state: sealed === null ? 'missing' : details ? 'stored' : 'unreadable',
        details,
        updatedAt: updatedAt === null ? null : new Date(updatedAt),
      };
    })
    .filter(({ isAsked, state }) => isAsked || state !== 'missing');
}

/** Stores where a worker wants the money of a project sent. Replaces what was stored before. */
export async function savePayee(
  db: Database,
  actor: UserActor,
  { projectId, details }: { projectId: string; details: PayeeDetails },
): Promise<void> {
  await authorise(db, actor, 'work.payee', { project: projectId });
  const workerId = actor.userId;
  await db.transaction(async (tx) => {
    // Shared: many workers save together, but nobody saves while a curator switches the question off.
    const [project] = await tx
      .select({ policy: projects.policy, isSent: sql<boolean>`${isSentBy(projectId, workerId)}` })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for('share');
    const { isOn, methods } = payeeSettings(project?.policy ?? {});
    if (!isOn || project?.isSent)
      throw conflict('This project does not ask you for payment details.', { code: 'payeeNotAsked' });
    if (!methods.includes(details.method))
      throw conflict('This project cannot pay in this way. Choose another one.', { code: 'payeeMethod' });
    const sealed = sealPayee({ projectId, workerId }, details);
    await tx
      .insert(payees)
      .values({ projectId, workerId, sealed })
      .onConflictDoUpdate({
        target: [payees.projectId, payees.workerId],
        set: { sealed, updatedAt: sql`now()` },
      });
    await note(tx, actor, 'payee.save', projectId);
  });
}

/** Erases a worker's own payee details, also after they left the project. */
export async function deletePayee(
  db: Database,
  actor: UserActor,
  { projectId }: { projectId: string },
): Promise<void> {
  await authorise(db, actor, 'account.manage', 'instance');
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(payees)
      .where(and(eq(payees.projectId, projectId), eq(payees.workerId, actor.userId)))
      .returning({ projectId: payees.projectId });
    if (gone.length > 0) await note(tx, actor, 'payee.delete', projectId);
  });
}

/** That it happened, and nothing of what it says. */
const note = (tx: Db, actor: UserActor & Actor, verb: string, projectId: string) =>
  record(tx, { actor, verb, subject: 'user', subjectId: actor.userId, projectId });
