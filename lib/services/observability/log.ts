import { pino } from 'pino';
import { readConfig } from '@/lib/config';
import { currentWork } from './current-work';

/** Values under these names never reach a log, whoever passes them, at the top or one level down. */
const secretNames = ['password', 'token', 'secret', 'authorization', 'cookie', '["x-api-key"]'];

const pathsTo = (name: string) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`]);

/** A line says which request or job it belongs to, wherever it was written. */
function ids(): object {
  const work = currentWork();
  if (!work) return {};
  const { requestId, jobId } = work;
  return { ...(requestId && { requestId }), ...(jobId && { jobId }) };
}

/**
 * One JSON object per line on standard error: standard output is for what a command was asked. The starter
 * keeps the lines of web and worker in TESSERA_HOME/tessera.log.
 */
export const log = pino(
  {
    level: readConfig().TESSERA_LOG_LEVEL,
    // The starter says which process a line came from.
    base: null,
    mixin: ids,
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretNames.flatMap(pathsTo), censor: '[hidden]' },
  },
  pino.destination({ fd: 2, sync: true }),
);
