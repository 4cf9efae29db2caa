import { currentWork } from './current-work';

/** How far the call of a server action has come, for the web server that answers it. */
export interface ActionCall {
  /** Next has decoded the arguments and has called our code. */
  hasBegun: boolean;
  /** Why the arguments were refused. */
  malformed?: string;
}

/** Marks that our code runs: what fails from now on is a fault of ours. */
export function beginAction(): void {
  const call = currentWork()?.action;
  if (call) call.hasBegun = true;
}

/** The arguments of a server action do not fit its schemas. */
export class MalformedAction extends Error {
  constructor(reason: string) {
    super(`The arguments are not valid: ${reason}`);
    const call = currentWork()?.action;
    if (call) call.malformed = reason;
  }
}
