import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { maskPayee, type PayeeDetails, type PayeeMethod } from '@/lib/core/payee';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { balances } from './balances';
import { isSentBy, payeeSettings } from './own-payee';
import { openPayee } from './seal-payee';

const { memberships, payees, users } = tables;

export interface Payee {
  workerId: string;
  name: string;
  state: 'missing' | 'stored' | 'unreadable';
  method: PayeeMethod | null;
  /** The last digits of an account, or the like. */
  masked: string | null;
  updatedAt: Date | null;
  /** Earned and not paid, by currency. */
  due: { currency: string; amountMicro: bigint }[];
}

export interface PayeeList {
  payees: Payee[];
  /** How many there are, of which the list has the first. */
  total: number;
  missing: number;
}

/** Those who are paid by hand; a list of more is taken as CSV. */
export const MAX_LISTED_PAYEES = 200;

/**
 * Lists the workers of a project's own pool who have money to come or have entered payee details, those without
 * details first. Null while the project does not ask for any.
 */
export async function listPayees(db: Db, actor: Actor, projectId: string): Promise<PayeeList | null> {
  const { project } = await authorise(db, actor, 'payees.read', { project: projectId });
  if (!payeeSettings(project.policy).isOn) return null;
  const due = await dueIn(db, projectId);
  const all = (await storedOf(db, projectId))
    .map(({ workerId, name, sealed, updatedAt }): Payee => {
      const details = sealed === null ? null : openPayee({ projectId, workerId }, sealed);
      return {
        workerId,
        name,
        state: sealed === null ? 'missing' : details ? 'stored' : 'unreadable',
        method: details?.method ?? null,
        masked: details && maskPayee(details),
        updatedAt,
        due: due.get(workerId) ?? [],
      };
    })
    .filter(({ state, due: sums }) => state !== 'missing' || sums.length > 0);
  const withoutDetails = all.filter(({ state }) => state !== 'stored');
  const others = all.filter(({ state }) => state === 'stored');
  return {
    payees: [...withoutDetails, ...others].slice(0, MAX_LISTED_PAYEES),
    total: all.length,
    missing: withoutDetails.length,
  };
}

async function dueIn(db: Db, projectId: string): Promise<Map<string, Payee['due']>> {
  const due = new Map<string, Payee['due']>();
  for (const { workerId, currency, approved, pending } of await balances(
    db,
    sql`e.project_id = ${projectId}`,
  )) {
    const amountMicro = approved + pending;
    if (amountMicro > 0n) due.set(workerId, [...(due.get(workerId) ?? []), { currency, amountMicro }]);
  }
  return due;
}

/** Workers of the own pool, now or before, with what they have stored. */
const storedOf = (db: Db, projectId: string) =>
  db
    .select({ workerId: users.id, name: users.name, sealed: payees.sealed, updatedAt: payees.updatedAt })
    .from(users)
    .leftJoin(payees, and(eq(payees.projectId, projectId), eq(payees.workerId, users.id)))
    .where(
      sql`not ${isSentBy(projectId, users.id)} and (
        ${payees.workerId} is not null
        or exists (select 1 from ${memberships} m
          where m.project_id = ${projectId} and m.user_id = ${users.id} and m.role = 'worker')
        or exists (select 1 from ${tables.ledger} e
          where e.project_id = ${projectId} and e.worker_id = ${users.id}))`,
    )
    .orderBy(sql`lower(${users.name})`, users.id);

/** The whole details of one worker. The activity log keeps that they were read, and by whom. */
export async function readPayee(
  db: Database,
  actor: Actor,
  { projectId, workerId }: { projectId: string; workerId: string },
): Promise<PayeeDetails> {
  await authorise(db, actor, 'payees.read', { project: projectId });
  return db.transaction(async (tx) => {
    const details = (await openedOf(tx, projectId, [workerId])).get(workerId);
    if (!details) throw notFound('payee');
    await record(tx, { actor, verb: 'payee.read', subject: 'user', subjectId: workerId, projectId });
    return details;
  });
}

/** The details of the workers on a payout list, for its file. The activity log keeps who took it. */
export async function exportPayees(
  db: Database,
  actor: Actor,
  { projectId, payoutId, workerIds }: { projectId: string; payoutId: string; workerIds: readonly string[] },
): Promise<Map<string, PayeeDetails>> {
  await authorise(db, actor, 'payees.read', { project: projectId });
  return db.transaction(async (tx) => {
    const opened = await openedOf(tx, projectId, workerIds);
    if (opened.size > 0) {
      const detail = { workers: opened.size };
      await record(tx, {
        actor,
        verb: 'payee.export',
        subject: 'payout',
        subjectId: payoutId,
        projectId,
        detail,
      });
    }
    return opened;
  });
}

/** By worker; none while the project does not ask, and none of workers who are paid by a marketplace. */
async function openedOf(
  db: Db,
  projectId: string,
  workerIds: readonly string[],
): Promise<Map<string, PayeeDetails>> {
  const [project] = await db
    .select({ policy: tables.projects.policy })
    .from(tables.projects)
    .where(eq(tables.projects.id, projectId));
  if (workerIds.length === 0 || !payeeSettings(project?.policy ?? {}).isOn) return new Map();
  const rows = await db
    .select({ workerId: payees.workerId, sealed: payees.sealed })
    .from(payees)
    .where(
      and(
        eq(payees.projectId, projectId),
        inArray(payees.workerId, [...workerIds]),
        sql`not ${isSentBy(projectId, payees.workerId)}`,
      ),
    );
  return new Map(
    rows.flatMap(({ workerId, sealed }) => {
      const details = openPayee({ projectId, workerId }, sealed);
      return details ? [[workerId, details] as const] : [];
    }),
  );
}
