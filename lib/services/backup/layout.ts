import { z } from 'zod';

/**
 * A backup is a list of files in this order, as a folder or as one tar:
 *
 *   backup.json                 what it is, and of which tables
 *   secrets.json                what signs sessions and links, unless it was left out
 *   database/<table>/<n>.jsonl  rows, one JSON list of texts each
 *   database/sequences.json     where numbering goes on
 *   queue.jsonl                 jobs that wait, run or failed, with their input
 *   blobs/ab/cd/<sha256>        the files
 *   manifest.json               the SHA-256 of everything above: written last, so a cut backup has none
 */
export const headFile = 'backup.json';
export const secretsFile = 'secrets.json';
export const sequencesFile = 'database/sequences.json';
export const queueFile = 'queue.jsonl';
export const manifestFile = 'manifest.json';

export const blobPath = (sha256: string): string =>
  `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export const chunkPath = (table: string, number: number): string =>
  `database/${table}/${String(number).padStart(6, '0')}.jsonl`;

export const BackupHead = z.object({
  format: z.literal('tessera-backup'),
  formatVersion: z.literal(1),
  release: z.string(),
  createdAt: z.string(),
  /** In the order in which they were applied. */
  migrations: z.array(z.object({ hash: z.string(), createdAt: z.string() })),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) }),
  ),
});

export type BackupHead = z.infer<typeof BackupHead>;

export const BackupManifest = z.object({
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
  rows: z.record(z.string(), z.number()),
  blobs: z.object({ count: z.number(), bytes: z.number() }),
  queued: z.number(),
  /** Files of the store that were missing or did not hash to their name when the backup was made. */
  damaged: z.array(z.string()),
});

export type BackupManifest = z.infer<typeof BackupManifest>;

export const Sequences = z.array(
  z.object({ name: z.string(), value: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() }),
);

/** Printable, without line breaks: it becomes a line of a file. */
const oneLine = /^[^\p{Cc}]+$/u;

export const BackupSecrets = z.object({
  secret: z.string().min(32).max(1000).regex(oneLine).optional(),
  demoPassword: z.string().max(1000).regex(oneLine).optional(),
});

export type BackupSecrets = z.infer<typeof BackupSecrets>;

/** A job as the queue has it: kind, id, input as JSON text, and whether it had failed for good. */
export const QueuedJob = z.tuple([z.string(), z.uuid(), z.string().nullable(), z.boolean()]);

export type QueuedJob = z.infer<typeof QueuedJob>;
