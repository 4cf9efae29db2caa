import { changing } from './change';

export const command = changing({ isDisabled: true }, 'is disabled; all sessions and keys have ended');
