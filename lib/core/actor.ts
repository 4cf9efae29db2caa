import type { Scope } from '@/lib/core/scopes';

/** A person, known by a session cookie or by one of their API keys. */
export interface UserActor {
  kind: 'user';
  userId: string;
  name: string;
  email: string;
  /** For a key: the owner is an admin and the key carries the scope `admin`. */
  isAdmin: boolean;
  /** For a key: the owner is an admin, whatever the key's scopes. Opens only what asks for its scope alone. */
  isOfAdmin?: boolean;
  via: 'session' | 'key';
  /** Id of the session or of the key. */
  credentialId: string;
  /** What the key is limited to; null for a session, which has no limit of its own. */
  scopes: ReadonlySet<Scope> | null;
  /** The request in which they act, so that the audit log and the server's log can be read together. */
  requestId: string | null;
}

/** The installation itself: the command line on the server, a worker process, the demo. */
export interface SystemActor {
  kind: 'system';
  name: string;
}

export type Actor = UserActor | SystemActor;

/** As much of an actor as the audit log writes down. */
export type Author = SystemActor | Pick<UserActor, 'kind' | 'userId' | 'name' | 'via' | 'requestId'>;

/** A person who acts while there is no actor at hand: they are just joining, or changing their password. */
export const authorOf = (user: { id: string; name: string }, requestId: string | null): Author => ({
  kind: 'user',
  userId: user.id,
  name: user.name,
  via: 'session',
  requestId,
});

export const systemActor = (name: string): SystemActor => ({ kind: 'system', name });

export const actorId = (actor: Author): string | null => (actor.kind === 'user' ? actor.userId : null);

/** As much of an actor as a job may keep: what the audit log will write down. */
export const auditedAs = (actor: Author): Author =>
  actor.kind === 'system'
    ? { kind: 'system', name: actor.name }
    : {
        kind: 'user',
        userId: actor.userId,
        name: actor.name,
        via: actor.via,
        requestId: actor.requestId,
      };
