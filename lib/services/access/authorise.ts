import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Role } from '@/db/schema';
import type { Actor, UserActor } from '@/lib/core/actor';
import { conflict, notFound, TesseraError } from '@/lib/core/errors';

import {
  type InstanceVerb,
  isAllowed,
  isOpenIn,
  keyAllows,
  type ProjectVerb,
  policy,
  rolesFor,
  type Verb,
  verbToGrant,
} from './policy';

const { memberships, projects } = tables;

export interface ProjectAccess {
  project: typeof projects.$inferSelect;
  /** The roles that the actor holds in the project; empty for an admin from outside. */
  roles: Role[];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const looksLikeId = (text: string): boolean => uuid.test(text);

/** The one gate of pages, routes and jobs. Missing and forbidden give the same answer. */
export function authorise(
  db: Db,
  actor: Actor,
  verb: ProjectVerb,
  target: { project: string },
): Promise<ProjectAccess>;
export function authorise(db: Db, actor: Actor, verb: InstanceVerb, target: 'instance'): Promise<null>;
export async function authorise(
  db: Db,
  actor: Actor,
  verb: Verb,
  target: { project: string } | 'instance',
): Promise<ProjectAccess | null> {
  requireScope(actor, verb);
  if (target === 'instance') {
    if (!(await isAllowedInInstance(db, actor, verb))) throw notFound('page');
    return null;
  }
  const access = await projectWithRoles(db, actor, target.project);
  if (!access || !isAllowed(verb, standingOf(actor, access.roles))) throw notFound('project');
  if (!isOpenIn(verb, access.project.state)) {
    throw conflict(`The project is ${access.project.state}: this cannot be done in that state.`);
  }
  return access;
}

/**
 * A thing through the project that it belongs to. One that is missing and one of other people get the same words: the
 * name of the kind must not tell which of the two it was.
 */
export async function authoriseThrough(
  db: Db,
  actor: Actor,
  verb: ProjectVerb,
  { what, projectId }: { what: string; projectId: string | undefined },
): Promise<ProjectAccess> {
  requireScope(actor, verb);
  if (projectId === undefined) throw notFound(what);
  try {
    return await authorise(db, actor, verb, { project: projectId });
  } catch (error) {
    if (error instanceof TesseraError && error.kind === 'not-found') throw notFound(what);
    throw error;
  }
}

/** Checks the scope before any lookup, so that the error does not reveal what exists. */
export function requireScope(actor: Actor, verb: Verb): void {
  if (actor.kind === 'system' || keyAllows(verb, actor.scopes)) return;
  const { scope } = policy[verb];
  throw new TesseraError(
    'not-found',
    scope === null
      ? 'API keys cannot do this: sign in instead.'
      : `This API key does not have the scope "${scope}".`,
  );
}

/**
 * Authorisation inside a list query over `projects` (or joined with it): holds for the projects that the
 * actor may use with this verb. Undefined, which `and()` leaves out, when that is all of them.
 */
export function visibleProjects(actor: Actor, verb: ProjectVerb = 'project.read'): SQL | undefined {
  requireScope(actor, verb);
  if (isAllowed(verb, standingOf(actor, []))) return undefined;
  return sql`exists (select 1 from ${memberships} where ${memberships.projectId} = ${projects.id}
    and ${memberships.userId} = ${(actor as UserActor).userId}
    and ${inArray(memberships.role, rolesFor(verb))})`;
}

const standingOf = (actor: Actor, roles: readonly Role[]) =>
  actor.kind === 'system'
    ? { isAdmin: true, roles, scopes: null }
    : { isAdmin: actor.isAdmin, isOfAdmin: actor.isOfAdmin, roles, scopes: actor.scopes };

async function isAllowedInInstance(db: Db, actor: Actor, verb: Verb): Promise<boolean> {
  if (isAllowed(verb, standingOf(actor, []))) return true;
  const roles = rolesFor(verb);
  if (actor.kind === 'system' || roles.length === 0) return false;
  const held = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.userId, actor.userId), inArray(memberships.role, roles)))
    .limit(1);
  return held.length > 0;
}

/** For a select over `projects`: the roles that the actor holds in each. */
export function rolesHeld(db: Db, actor: Actor): SQL<Role[]> {
  const held = db
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.projectId, projects.id),
        actor.kind === 'user' ? eq(memberships.userId, actor.userId) : sql`false`,
      ),
    )
    .orderBy(memberships.role);
  return sql<Role[]>`array(${held})`;
}

async function projectWithRoles(db: Db, actor: Actor, idOrSlug: string): Promise<ProjectAccess | undefined> {
  const [row] = await db
    .select({ project: getTableColumns(projects), roles: rolesHeld(db, actor) })
    .from(projects)
    .where(looksLikeId(idOrSlug) ? eq(projects.id, idOrSlug) : eq(projects.slug, idOrSlug));
  return row;
}

/** Giving or taking these roles, by somebody who may manage members at all. */
export function requireGrant(actor: Actor, { roles: held }: ProjectAccess, roles: readonly Role[]): void {
  if (actor.kind === 'system') return;
  const refused = roles.filter((role) => !isAllowed(verbToGrant[role], { ...actor, roles: held }));
  if (refused.length === 0) return;
  throw new TesseraError(
    'not-found',
    `Only an instance admin gives or takes the role ${refused.join(', ')}.`,
  );
}

/** Whether a reader of the activity may know who works in the crowd. */
export const seesPeople = (db: Db, actor: Actor, projectId: string): Promise<boolean> =>
  authorise(db, actor, 'crowd.read', { project: projectId }).then(
    () => true,
    () => false,
  );
