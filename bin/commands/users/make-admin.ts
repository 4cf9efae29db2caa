import { changing } from './change';

export const command = changing({ isAdmin: true }, 'is an admin now');
