import type { Role } from '@/db/schema';
import type { Actor } from '@/lib/core/actor';
import { TesseraError } from '@/lib/core/errors';
import type { ProjectAccess } from './authorise';
import { isAllowed, verbToGrant } from './policy';

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
