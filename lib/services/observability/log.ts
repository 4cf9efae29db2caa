import { pino } from 'pino';
import { readConfig } from '@/lib/config';
import { currentWork } from './current-work';

/** Keys whose values are redacted, at the top level and one level below. */
const secretNames = ['password', 'token', 'secret', 'authorization', 'cookie', '["x-api-key"]'];

const pathsTo = (name: string) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`]);

/** Adds the ids of the current request or job to every line. */
function ids(): object {
  const work = currentWork();
  if (!work) return {};
  const { requestId, jobId } = work;
  return { ...(requestId && { requestId }), ...(jobId && { jobId }) };
}

/**
 * Writes one JSON object per line to standard error, because standard output contains command results. The start
 * process appends the lines of web and worker to TESSERA_HOME/tessera.log.
 */
export const log = pino(
  {
    level: readConfig().TESSERA_LOG_LEVEL,
    // The start process sets the name of the source process.
    base: null,
    mixin: ids,
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretNames.flatMap(pathsTo), censor: '[hidden]' },
  },
  pino.destination({ fd: 2, sync: true }),
);
