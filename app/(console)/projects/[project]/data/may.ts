import type { PageProject } from '@/lib/auth/page';
import { isAllowed, isOpenIn, type ProjectVerb } from '@/lib/auth/policy';

/** Whether the person who looks may do it here and now: what they may not is not offered. */
export const may = (verb: ProjectVerb, { actor, roles, project }: PageProject): boolean =>
  isAllowed(verb, { isAdmin: actor.isAdmin, roles, scopes: null }) && isOpenIn(verb, project.state);
