import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { conflict, invalid } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import { projectSchema } from '@/lib/services/images/ingest/project-schema';
import type { Storage } from '@/lib/services/storage';
import { type Deal, deal, type GivenSplit } from './deal';
import { LARGEST_TABLE, readGivenSplit } from './given-split';
import { type FreezeMember, readMembers, tiesOf } from './members';
import type { FreezeRequest } from './request';
import type { SplitSpec } from './split-spec';
import { splitTableType } from './store-split-table';

const { blobs } = tables;

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
  const given = await givenSplit(db, storage, request.split);
  return { schema, members, ...deal(members, tiesOf(members), request.split, given) };
}

async function givenSplit(db: Db, storage: Storage, split: SplitSpec): Promise<GivenSplit> {
  if (split.kind !== 'file') return new Map();
  const [table] = await db
    .select({ mediaType: blobs.mediaType })
    .from(blobs)
    .where(eq(blobs.sha256, split.sha256));
  if (table?.mediaType !== splitTableType || !(await storage.stat(split.sha256)))
    throw invalid('The table of the split is gone: send it again.');
  return readGivenSplit((await storage.read(split.sha256, LARGEST_TABLE)).toString('utf8'));
}
