import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectStates, projects, roles } from '@/db/schema';
import { TesseraError } from '@/lib/core/errors';
import { authorise, type ProjectVerb, policy, scopeIds, type UserActor } from '@/lib/services/access';
import { useDatabase } from '../../support/database';
import { join, person, project } from './people';
import { type Caller, callers, hasRight, isOnProject, isOpen, policyRows } from './policy-table';

/** The table at the gate itself. `policy-over-http` asks the same of every endpoint. */
const db = useDatabase();
const people = {} as Record<Caller, UserActor>;
let projectId = '';

beforeAll(async () => {
  projectId = (await project(db())).id;
  for (const name of callers) people[name] = await person(db(), name, name === 'admin');
  for (const role of roles) await join(db(), people[role], projectId, role);
});

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'allowed',
    (error) => (error instanceof TesseraError ? error.kind : error),
  );

describe('the policy', () => {
  it('has a row here for every verb', () => {
    expect(policyRows.map((row) => row.verb).sort()).toEqual(Object.keys(policy).sort());
  });

  for (const state of projectStates) {
    it(`lets each role do what the table says, by cookie and by key, while the project is ${state}`, async () => {
      await db().update(projects).set({ state }).where(eq(projects.id, projectId));
      for (const row of policyRows) {
        const target = isOnProject(row) ? { project: projectId } : 'instance';
        for (const name of callers) {
          for (const held of [null, ...scopeIds]) {
            const actor: UserActor = held
              ? {
                  ...people[name],
                  isAdmin: false,
                  isOfAdmin: name === 'admin',
                  via: 'key',
                  scopes: new Set([held]),
                }
              : people[name];
            if (held === 'admin') actor.isAdmin = name === 'admin';
            const got = await outcome(
              authorise(db(), actor, row.verb as ProjectVerb, target as { project: string }),
            );
            const isFit = held === null || held === row.scope;
            // The rights of an admin come to a key only with the scope `admin`, which has none of the others.
            const isReached =
              held === null || name !== 'admin' || ['admin', 'trainers'].includes(held) || row.who === '*';
            const want =
              !isFit || !isReached || !hasRight(row, name)
                ? 'not-found'
                : isOpen(row, state)
                  ? 'allowed'
                  : 'conflict';
            expect(got, `${name} ${row.verb} ${state} with ${held ?? 'a cookie'}`).toBe(want);
          }
        }
      }
    });
  }
});
