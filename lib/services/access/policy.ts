import type { projectStates, Role } from '@/db/schema';
import type { Scope } from '@/lib/core/scopes';

export type ProjectState = (typeof projectStates)[number];

/** `anyone` is everyone who is signed in; a role in an instance rule is that role in any project. */
type Who = Role | 'admin' | 'anyone';

interface Rule {
  on: 'project' | 'instance';
  who: readonly Who[];
  /** The scope an API key must carry; null: no key may, only a signed-in person. */
  scope: Scope | null;
  /** A key of an admin needs this scope and not `admin` besides: it can do this one thing and nothing else. */
  scopeIsEnough?: true;
  /** States of the project in which the verb is allowed. */
  states: readonly ProjectState[];
}

const always: readonly ProjectState[] = ['draft', 'collecting', 'paused', 'finished', 'archived'];
const unlessArchived: readonly ProjectState[] = ['draft', 'collecting', 'paused', 'finished'];
const beforeTheEnd: readonly ProjectState[] = ['draft', 'collecting', 'paused'];

const staff: readonly Who[] = ['admin', 'curator', 'researcher'];
const curators: readonly Who[] = ['admin', 'curator'];
const admins: readonly Who[] = ['admin'];

const project = (who: readonly Who[], scope: Scope | null, states: readonly ProjectState[]) =>
  ({ on: 'project', who, scope, states }) as const;
const instance = (who: readonly Who[], scope: Scope | null) =>
  ({ on: 'instance', who, scope, states: always }) as const;

/**
 * Who may do what, and when: the whole of it. A verb that is not here does not exist.
 * Workers reach only the work they lease, so that nothing tells them gold from ordinary items.
 */
export const policy = {
  'project.read': project(staff, 'read', always),
  'project.write': project(curators, 'projects:write', unlessArchived),
  'project.archive': project(curators, 'projects:write', unlessArchived),
  'project.restore': project(curators, 'projects:write', ['archived']),
  'members.read': project(curators, 'read', always),
  'members.manage': project(curators, 'members:write', unlessArchived),
  'curators.manage': project(admins, 'members:write', unlessArchived),
  'activity.read': project(staff, 'read', always),
  'images.read': project(staff, 'read', always),
  // One's own saved filters; a key that may only read saves nothing.
  'filters.write': project(staff, 'projects:write', always),
  'images.write': project(curators, 'images:write', beforeTheEnd),
  'schema.write': project(curators, 'projects:write', beforeTheEnd),
  'gold.read': project(curators, 'read', always),
  'gold.write': project(curators, 'labels:write', beforeTheEnd),
  'crowd.read': project(curators, 'read', always),
  'crowd.manage': project(curators, 'labels:write', unlessArchived),
  // The texts of workers in other languages: guides, consent text, schema.
  'translations.write': project(curators, 'projects:write', unlessArchived),
  // Where a worker wants their money sent: for people, never for a key.
  'payees.read': project(curators, null, always),
  'work.read': project(['worker'], 'read', always),
  'work.take': project(['worker'], 'labels:write', ['collecting']),
  // What a worker holds already: a pause must not cost them what they have begun.
  'work.finish': project(['worker'], 'labels:write', unlessArchived),
  // What concerns themselves is theirs to say at any time.
  'work.consent': project(['worker'], 'labels:write', always),
  'work.appeal': project(['worker'], 'labels:write', always),
  'work.payee': project(['worker'], null, always),
  'audit.decide': project(curators, 'labels:write', unlessArchived),
  'consensus.write': project(curators, 'labels:write', unlessArchived),
  'data.freeze': project(staff, 'datasets:write', unlessArchived),
  // Counting a version and hashing it again change nothing of it, but they cost a job.
  'data.check': project(staff, 'datasets:write', always),
  'data.export': project(staff, 'datasets:export', always),
  'runs.write': project(staff, 'runs:write', unlessArchived),
  'models.write': project(staff, 'runs:write', unlessArchived),
  'evaluations.write': project(staff, 'runs:write', unlessArchived),
  'jobs.read': project(staff, 'read', always),
  'jobs.cancel': project(staff, 'jobs:write', always),

  'me.read': instance(['anyone'], 'read'),
  'account.manage': instance(['anyone'], null),
  'project.create': instance(curators, 'projects:write'),
  'users.manage': instance(admins, 'admin'),
  'settings.write': instance(admins, 'admin'),
  'jobs.manage': instance(admins, 'admin'),
  'metrics.read': instance(admins, 'admin'),
  'trainers.manage': instance(admins, 'admin'),
  'trainers.work': { ...instance(admins, 'trainers'), scopeIsEnough: true },
} as const satisfies Record<string, Rule>;

export type Verb = keyof typeof policy;
export type ProjectVerb = {
  [V in Verb]: (typeof policy)[V]['on'] extends 'project' ? V : never;
}[Verb];
export type InstanceVerb = Exclude<Verb, ProjectVerb>;

/** Giving or taking a role needs more than that role itself, or the right would copy itself. */
export const verbToGrant: Record<Role, ProjectVerb> = {
  worker: 'members.manage',
  researcher: 'members.manage',
  curator: 'curators.manage',
};

export interface Standing {
  isAdmin: boolean;
  /** Of a key: whether its owner is an admin, whatever its scopes. */
  isOfAdmin?: boolean;
  roles: readonly Role[];
  scopes: ReadonlySet<Scope> | null;
}

export const keyAllows = (verb: Verb, held: ReadonlySet<Scope> | null): boolean => {
  const { scope } = policy[verb];
  return held === null || (scope !== null && held.has(scope));
};

export function isAllowed(verb: Verb, standing: Standing): boolean {
  const { who, scopeIsEnough }: Rule = policy[verb];
  if (!keyAllows(verb, standing.scopes)) return false;
  return (
    who.includes('anyone') ||
    ((standing.isAdmin || (scopeIsEnough && standing.isOfAdmin)) && who.includes('admin')) ||
    standing.roles.some((role) => who.includes(role))
  );
}

/** The project roles that open a verb. */
export const rolesFor = (verb: Verb): Role[] =>
  (policy[verb] as Rule).who.filter((who): who is Role => who !== 'admin' && who !== 'anyone');

export const isOpenIn = (verb: Verb, state: ProjectState): boolean =>
  (policy[verb] as Rule).states.includes(state);
