import { isAllowed, isOpenIn, type ProjectVerb } from '@/lib/services/access';
import type { PageProject } from '@/lib/services/access/page';

/** Whether the person who looks may do it here and now: what they may not is not offered. */
export const can = (verb: ProjectVerb, { actor, roles, project }: PageProject): boolean =>
  isAllowed(verb, { isAdmin: actor.isAdmin, roles, scopes: null }) && isOpenIn(verb, project.state);
