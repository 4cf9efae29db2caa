import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { signBlobUrl } from '@/lib/services/storage';
import { defaultStageText, targetsOf } from './default-text';
import { GuideExample } from './example-places';
import { guidePictures } from './save-guide';

const { guides, stages } = tables;

export interface GuidePart {
  /** Of the text as it was saved; null for what the schema says by itself. */
  number: number | null;
  /** Markdown: beside the work, and on the guide's page. */
  short: string;
  full: string;
  examples: GuideExample[];
}

export interface StageGuide {
  stage: { id: string; name: string; kind: StageKind };
  general: GuidePart;
  targets: (GuidePart & { target: string; name: string })[];
  /** Addresses of the guide's pictures, for the Markdown and the examples. */
  pictures: Record<string, string>;
}

/**
 * The address of a guide picture as a worker sees it. Unlike a signed link it stops working when the worker leaves the
 * project.
 */
export const workerPictureUrl =
  (slug: string) =>
  (sha256: string): string =>
    `/api/v1/work/projects/${slug}/guide-picture?sha256=${sha256}`;

/** Reads the newest instructions of a stage, with the definitions of the schema where the curator wrote nothing. */
export async function guideOf(
  db: Db,
  projectId: string,
  stageId: string,
  pictureUrl: (sha256: string) => string = signBlobUrl,
): Promise<StageGuide> {
  const [stage] = await db
    .select({ id: stages.id, name: stages.name, kind: stages.kind })
    .from(stages)
    .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)));
  const schema = await readProjectSchema(db, projectId);
  if (!stage || !schema) throw notFound('stage');
  const rows = await db
    .selectDistinctOn([guides.target])
    .from(guides)
    .where(eq(guides.stageId, stageId))
    .orderBy(guides.target, desc(guides.number));
  const saved = new Map(rows.map((row) => [row.target, partOf(row)]));
  const allowed = await guidePictures(db, projectId);
  return {
    stage,
    general: saved.get('') ?? plain(defaultStageText(schema, stage.kind)),
    targets: targetsOf(schema, stage.kind).map(({ target, name, definition }) => ({
      target,
      name,
      ...(saved.get(target) ?? plain(definition)),
    })),
    pictures: Object.fromEntries([...allowed].map((sha256) => [sha256, pictureUrl(sha256)])),
  };
}

const plain = (short: string): GuidePart => ({ number: null, short, full: '', examples: [] });

const partOf = ({ number, short, full, examples }: typeof guides.$inferSelect): GuidePart => ({
  number,
  short,
  full,
  examples: GuideExample.array().parse(examples),
});
