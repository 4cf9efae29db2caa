import type { Queue } from 'pg-boss';

export type QueueOptions = Omit<Queue, 'name' | 'partition'>;

const day = 24 * 60 * 60;

/** The delivery rules that every kind of job gets. Times in seconds. */
export const queueOptions: QueueOptions = {
  policy: 'standard',
  /** A worker that has not been heard of for this long is dead (10 is the least pg-boss allows). */
  heartbeatSeconds: 10,
  /** Death is told by the heartbeat, so that a long job needs no deadline; this is the most there is. */
  expireInSeconds: day,
  retryLimit: 4,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  /** How long a failed job can be retried by hand: pg-boss keeps its input. */
  deleteAfterSeconds: 30 * day,
  retentionSeconds: 30 * day,
  notify: true,
};
