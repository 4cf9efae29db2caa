import { createHash } from 'node:crypto';
import type { Database } from '@/db';
import { type Actor, authorise } from '@/lib/services/access';
import { startFreeze } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import type { Selected } from './selection';
import { sliceSelection } from './slice-selection';

export interface FrozenSet {
  sliceId: string;
  images: number;
  jobId: string;
  tag: string;
}

/**
 * Freezes images of an evaluation as an evaluation set: a version of exactly these, all in the split `test`, with a tag
 * that says what it is. The slice stays, so that the set can be found among the images and frozen anew after a
 * correction.
 */
export async function freezeSelection(
  db: Database,
  actor: Actor,
  input: Selected & { name: string },
): Promise<FrozenSet> {
  const { projectId } = input;
  await authorise(db, actor, 'data.freeze', { project: projectId });
  const slice = await sliceSelection(db, actor, input);
  const tag = tagOf(slice.name);
  const request = FreezeRequest.parse({
    filter: { slice: slice.id },
    split: { kind: 'stratified', shares: { test: 1 } },
    description: `Evaluation set: ${slice.name}.`,
  });
  const { jobId } = await startFreeze(db, actor, { projectId, request, tag });
  return { sliceId: slice.id, images: slice.images, jobId, tag };
}

/** Room in a tag beside its beginning. */
const ROOM = 24;

/** The name in the letters that a tag may have; a name without any gets some of its hash instead. */
export function tagOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ROOM)
    .replace(/^-+|-+$/g, '');
  return `evaluation-set-${plain || createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
