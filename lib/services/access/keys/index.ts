export { createKey, type NewKey } from './create-key';
export { listKeys } from './list-keys';
export { revokeKey } from './revoke-key';
