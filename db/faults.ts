/** Codes of Node and PostgreSQL for "nobody there", "shutting down", "starting up", "no connection left". */
const gone = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
]);

const saysGone =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/;

/** True for a fault that passes when the database is back. */
export const isDatabaseGone = (error: unknown): boolean =>
  causes(error).some((at) => gone.has(codeOf(at)) || saysGone.test(at.message));

/** PostgreSQL's word for it, and the system's. */
const full = new Set(['53100', 'ENOSPC', 'EDQUOT']);

export const isDiskFull = (error: unknown): boolean => causes(error).some((at) => full.has(codeOf(at)));

/** Two who waited for each other, of whom one was sent away. */
const collided = new Set(['40P01', '40001']);

/** True for a fault that passes when the same is tried again: nothing of it was stored. */
export const isCollision = (error: unknown): boolean => causes(error).some((at) => collided.has(codeOf(at)));

const codeOf = (error: Error): string => String((error as { code?: unknown }).code);

/** An error and what it was caused by: drizzle puts the statement around what the driver says. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let at = error; at instanceof Error && found.length < 5; at = at.cause) found.push(at);
  return found;
}
