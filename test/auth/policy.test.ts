import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectStates, projects, type Role, roles } from '@/db/schema';
import {
  authorise,
  type ProjectVerb,
  policy,
  type Scope,
  scopeIds,
  type UserActor,
  type Verb,
} from '@/lib/auth';
import { TesseraError } from '@/lib/errors';
import { useDatabase } from '../support/database';
import { join, person, project } from './people';

/**
 * Written by hand, beside the policy and not from it. Letters: Admin, Curator, Researcher, Worker, anyone (*);
 * states: draft, collecting, paused, finished, archived (x). The last column is the scope of a key.
 */
const expected = `
  project.read       ACR  dcpfx  read
  project.write      AC   dcpf   projects:write
  project.archive    AC   dcpf   projects:write
  project.restore    AC   x      projects:write
  members.read       AC   dcpfx  read
  members.manage     AC   dcpf   members:write
  curators.manage    A    dcpf   members:write
  activity.read      ACR  dcpfx  read
  images.read        ACR  dcpfx  read
  images.write       AC   dcp    images:write
  schema.write       AC   dcp    projects:write
  gold.read          AC   dcpfx  read
  gold.write         AC   dcp    labels:write
  crowd.read         AC   dcpfx  read
  crowd.manage       AC   dcpf   labels:write
  work.read          W    dcpfx  read
  work.take          W    c      labels:write
  audit.decide       AC   dcpf   labels:write
  consensus.write    AC   dcpf   labels:write
  data.freeze        ACR  dcpf   datasets:write
  data.export        ACR  dcpfx  datasets:export
  runs.write         ACR  dcpf   runs:write
  models.write       ACR  dcpf   runs:write
  evaluations.write  ACR  dcpf   runs:write
  jobs.read          ACR  dcpfx  read
  jobs.cancel        ACR  dcpfx  jobs:write
  me.read            *    -      read
  account.manage     *    -      never
  project.create     AC   -      projects:write
  users.manage       A    -      admin
  settings.write     A    -      admin
  jobs.manage        A    -      admin
  metrics.read       A    -      admin
  trainers.manage    A    -      admin
  trainers.work      A    -      trainers`;

interface Row {
  verb: Verb;
  who: string;
  states: string;
  scope: Scope | 'never';
}

const rows = expected
  .trim()
  .split('\n')
  .map((line) => {
    const [verb, who, states, scope] = line.trim().split(/\s+/);
    return { verb, who, states, scope } as Row;
  });
const onProject = rows.filter((row) => row.states !== '-');
const onInstance = rows.filter((row) => row.states === '-');

const letters = { curator: 'C', researcher: 'R', worker: 'W', admin: 'A', stranger: '-' } as const;
const stateLetters = { draft: 'd', collecting: 'c', paused: 'p', finished: 'f', archived: 'x' } as const;

const db = useDatabase();
const people = {} as Record<keyof typeof letters, UserActor>;
let projectId = '';

beforeAll(async () => {
  projectId = (await project(db())).id;
  for (const name of Object.keys(letters) as (keyof typeof letters)[]) {
    people[name] = await person(db(), name, name === 'admin');
  }
  for (const role of roles) await join(db(), people[role], projectId, role);
});

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'allowed',
    (error) => (error instanceof TesseraError ? error.kind : error),
  );

describe('the policy', () => {
  it('has a row here for every verb', () => {
    expect(rows.map((row) => row.verb).sort()).toEqual(Object.keys(policy).sort());
  });

  for (const state of projectStates) {
    it(`lets each role do what the table says while the project is ${state}`, async () => {
      await db().update(projects).set({ state }).where(eq(projects.id, projectId));
      for (const { verb, who, states } of onProject) {
        for (const [name, actor] of Object.entries(people)) {
          const target = { project: projectId };
          const got = await outcome(authorise(db(), actor, verb as ProjectVerb, target));
          const hasRight = who.includes(letters[name as Role]);
          const isOpen = states.includes(stateLetters[state]);
          expect(got, `${name} ${verb} ${state}`).toBe(
            hasRight ? (isOpen ? 'allowed' : 'conflict') : 'not-found',
          );
        }
      }
    });
  }

  it('lets each role do what the table says about the instance', async () => {
    for (const { verb, who } of onInstance) {
      for (const [name, actor] of Object.entries(people)) {
        const got = await outcome(authorise(db(), actor, verb as 'me.read', 'instance'));
        const hasRight = who === '*' || who.includes(letters[name as Role]);
        expect(got, `${name} ${verb}`).toBe(hasRight ? 'allowed' : 'not-found');
      }
    }
  });

  it('lets a key do only what its scope and its owner both may', async () => {
    await db().update(projects).set({ state: 'collecting' }).where(eq(projects.id, projectId));
    for (const { verb, who, states, scope } of rows) {
      for (const held of scopeIds) {
        for (const name of ['curator', 'researcher', 'worker'] as const) {
          const actor: UserActor = { ...people[name], via: 'key', scopes: new Set([held]) };
          const target = states === '-' ? 'instance' : { project: projectId };
          const got = await outcome(
            authorise(db(), actor, verb as ProjectVerb, target as { project: string }),
          );
          const hasRight = (who === '*' || who.includes(letters[name])) && held === scope;
          const isOpen = states === '-' || states.includes('c');
          const want = hasRight ? (isOpen ? 'allowed' : 'conflict') : 'not-found';
          expect(got, `${name} ${verb} with ${held}`).toBe(want);
        }
      }
    }
  });
});
