import { systemActor } from '@/lib/core/actor';

/** Whoever can run commands on the server may do everything; the audit log says that it was done here. */
export const commandLine = systemActor('command line');
