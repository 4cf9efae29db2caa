import { createHash } from 'node:crypto';
import type { Database, Db } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { enqueue } from '@/lib/services/jobs';
import type { Storage } from '@/lib/services/storage';
import { ManifestHeader, readLine, readLines } from '../manifest';
import { findLatestJob } from './list-versions';
import { findVersion } from './open-version';

export interface Verified {
  isWhole: boolean;
  /** The first hundred problems, as sentences. */
  problems: string[];
  images: number;
}

const MAX_PROBLEMS = 100;

/** Verifies a version: the hash of its manifest, every line, and the hash of every image. */
export async function verifyVersion(
  db: Db,
  storage: Storage,
  input: { projectId: string; version: string },
  options: { signal?: AbortSignal; progress?: (done: number, total: number) => Promise<void> } = {},
): Promise<Verified> {
  const version = await findVersion(db, input);
  const problems: string[] = [];
  const say = (text: string) => problems.length < MAX_PROBLEMS && problems.push(text);
  if (!(await storage.stat(version.manifest)))
    return { isWhole: false, problems: ['The manifest is not in the store.'], images: 0 };
  const hash = createHash('sha256');
  const source = async function* () {
    for await (const chunk of await storage.get(version.manifest)) {
      hash.update(chunk);
      yield chunk as Uint8Array;
    }
  };
  let header: ManifestHeader | undefined;
  let images = 0;
  const seen = new Set<string>();
  for await (const { text } of readLines(source())) {
    options.signal?.throwIfAborted();
    try {
      if (!header) header = ManifestHeader.parse(JSON.parse(text));
      else {
        images += 1;
        const { picture, name } = readLine(text);
        const isKnown = seen.has(picture.sha256);
        seen.add(picture.sha256);
        if (!isKnown && (await hashOf(storage, picture.sha256)) !== picture.sha256)
          say(`The picture of "${name}" is missing or changed.`);
      }
    } catch {
      // The final hash check would fail too; this reports the line.
      say(`Line ${images + 1} of the manifest cannot be read.`);
    }
    await options.progress?.(images, version.imageCount);
  }
  if (hash.digest('hex') !== version.hash) say('The manifest does not hash to the name of the version.');
  if (images !== version.imageCount) say(`The manifest has ${images} images, not ${version.imageCount}.`);
  return { isWhole: problems.length === 0, problems, images };
}

async function hashOf(storage: Storage, sha256: string): Promise<string | null> {
  if (!(await storage.stat(sha256))) return null;
  const hash = createHash('sha256');
  for await (const chunk of await storage.get(sha256)) hash.update(chunk);
  return hash.digest('hex');
}

export const VERIFY_JOB = 'verify-version';

/** Starts the job that verifies a version. */
export async function startVerification(
  db: Database,
  actor: Author,
  input: { projectId: string; version: string },
): Promise<{ jobId: string }> {
  const { id, number } = await findVersion(db, input);
  const title = `Verify version ${number}`;
  const known = await findLatestJob(db, { projectId: input.projectId, kind: VERIFY_JOB, title });
  // A running verification is returned instead of starting another.
  if (known && !known.finishedAt) return { jobId: known.id };
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      VERIFY_JOB,
      { projectId: input.projectId, version: id },
      { title, projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}
