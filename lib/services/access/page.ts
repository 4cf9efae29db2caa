import { headers } from 'next/headers';
import { notFound as notFoundPage, redirect } from 'next/navigation';
import { cache } from 'react';
import { database } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { TesseraError } from '@/lib/core/errors';
import { actorFromRequest } from './actor-from-request';
import { authorise, type ProjectAccess } from './authorise';
import type { InstanceVerb, ProjectVerb } from './policy';
import { pathHeader } from './request-headers';

/** Who looks at the page, or null. Asked once per request, however many components want to know. */
export const currentActor = cache(async (): Promise<UserActor | null> => actorFromRequest(await headers()));

/** Who looks at the page; a stranger is sent to sign in and comes back afterwards. */
export async function requireActor(): Promise<UserActor> {
  const actor = await currentActor();
  if (actor) return actor;
  const path = (await headers()).get(pathHeader) ?? '/';
  redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

export interface PageProject extends ProjectAccess {
  actor: UserActor;
}

/** The project of a page, or the not-found page when it is missing or none of the actor's business. */
export const pageProject = cache(
  async (project: string, verb: ProjectVerb = 'project.read'): Promise<PageProject> => {
    const actor = await requireActor();
    const access = await authorise(database(), actor, verb, { project }).catch(hide);
    return { actor, ...access };
  },
);

/** The project of a page that changes something; in a state that does not allow it, a page that says so. */
export async function pageOpenProject(project: string, verb: ProjectVerb): Promise<PageProject> {
  const access = await pageProject(project, verb).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'conflict') return null;
    throw error;
  });
  return access ?? redirect(`/projects/${encodeURIComponent(project)}/closed`);
}

/** For the pages of the instance (`/admin`). */
export async function requireRight(verb: InstanceVerb): Promise<UserActor> {
  const actor = await requireActor();
  await authorise(database(), actor, verb, 'instance').catch(hide);
  return actor;
}

function hide(error: unknown): never {
  if (error instanceof TesseraError && error.kind === 'not-found') notFoundPage();
  throw error;
}
