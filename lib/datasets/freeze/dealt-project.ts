import type { Db } from '@/db';
import { conflict, invalid } from '@/lib/errors';
import { projectSchema } from '@/lib/ingest/project-schema';
import type { DatasetSchema } from '@/lib/schema';
import { readAll, type Storage } from '@/lib/storage';
import { type Deal, deal, type GivenSplit } from './deal';
import { LARGEST_TABLE, readGivenSplit } from './given-split';
import { type FreezeMember, readMembers, tiesOf } from './members';
import type { FreezeRequest } from './request';
import type { SplitSpec } from './split-spec';

export interface Asked {
  projectId: string;
  request: FreezeRequest;
  signal?: AbortSignal;
}

export interface DealtProject extends Deal {
  schema: DatasetSchema;
  members: FreezeMember[];
}

/** The images that a request is about, each with its part: what both the preview and the freezing begin with. */
export async function dealProject(
  db: Db,
  storage: Storage,
  { projectId, request, signal }: Asked,
): Promise<DealtProject> {
  const schema = await projectSchema(db, projectId);
  if (!schema) throw conflict('The project has no schema yet: choose one before you freeze.');
  const members = await readMembers(db, { projectId, filter: request.filter, signal });
  const given = await givenSplit(storage, request.split);
  return { schema, members, ...deal(members, tiesOf(members), request.split, given) };
}

async function givenSplit(storage: Storage, split: SplitSpec): Promise<GivenSplit> {
  if (split.kind !== 'file') return new Map();
  if (!(await storage.stat(split.sha256))) throw invalid('The table of the split is gone: send it again.');
  return readGivenSplit((await readAll(await storage.get(split.sha256), LARGEST_TABLE)).toString('utf8'));
}
