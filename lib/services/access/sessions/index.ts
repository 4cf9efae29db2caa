export { listSessions } from './list-sessions';
export { revokeOtherSessions, revokeSession } from './revoke-session';
