/** Sessions, API keys, the table of rights (`policy.ts`) and `authorise`, which every endpoint and page calls. */

export { type Actor, actorId, type SystemActor, systemActor, type UserActor } from '@/lib/core/actor';
export { type Scope, scopeIds, scopes } from '@/lib/core/scopes';
export {
  authorise,
  authoriseThrough,
  looksLikeId,
  type ProjectAccess,
  requireGrant,
  requireScope,
  rolesHeld,
  seesPeople,
  visibleProjects,
} from './authorise';
export { createKey, hashToken, listKeys, newToken, revokeKey } from './keys';
export {
  type InstanceVerb,
  isAllowed,
  isOpenIn,
  type ProjectState,
  type ProjectVerb,
  policy,
  type Verb,
  verbToGrant,
} from './policy';
export { consume, type RateRule } from './rate-limit';
