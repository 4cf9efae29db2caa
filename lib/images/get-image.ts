import { and, asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '../errors';
import { signBlobUrl } from '../storage';

const { auditLog, decisions, derivatives, images, items, labels, stages, uploads, uploadFiles, users } =
  tables;

export interface ImageFile {
  url: string;
  width: number;
  height: number;
}

export interface HistoryEntry {
  at: Date;
  /** Who, or what: a person, a rule, the command line. */
  by: string | null;
  text: string;
}

/** One image with its files, its questions, the labels they have, and what happened to it. */
export async function getImage(db: Db, input: { projectId: string; imageId: string }) {
  const [image] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, input.imageId), eq(images.projectId, input.projectId)));
  if (!image) throw notFound('image');
  const made = await db.select().from(derivatives).where(eq(derivatives.imageId, image.id));
  const questions = await questionsOf(db, image.id);
  const { blob, perceptualHash: _, ...facts } = image;
  const { width, height } = image;
  const fileOf = (kind: string): ImageFile | null => {
    const found = made.find((derivative) => derivative.kind === kind);
    return found ? { url: signBlobUrl(found.blob), width: found.width, height: found.height } : null;
  };
  return {
    ...facts,
    original: { url: signBlobUrl(blob), width, height } satisfies ImageFile,
    thumbnail: fileOf('thumbnail'),
    working: fileOf('working'),
    items: questions,
    history: await historyOf(db, image),
  };
}

export type ImageDetail = Awaited<ReturnType<typeof getImage>>;

const questionsOf = (db: Db, imageId: string) =>
  db
    .select({
      id: items.id,
      stage: stages.name,
      stageKind: stages.kind,
      target: items.target,
      state: items.state,
      overlap: items.overlap,
      answered: items.answered,
      label: {
        id: labels.id,
        value: labels.value,
        mask: labels.mask,
        area: labels.area,
        source: labels.source,
        confidence: labels.confidence,
        createdAt: labels.createdAt,
      },
    })
    .from(items)
    .innerJoin(stages, eq(stages.id, items.stageId))
    .leftJoin(labels, and(eq(labels.itemId, items.id), eq(labels.isCurrent, true)))
    .where(eq(items.imageId, imageId))
    .orderBy(asc(stages.position), asc(items.target));

async function historyOf(db: Db, image: typeof images.$inferSelect): Promise<HistoryEntry[]> {
  const [arrival] = await db
    .select({ by: users.name, name: uploadFiles.name })
    .from(uploadFiles)
    .innerJoin(uploads, eq(uploads.id, uploadFiles.uploadId))
    .leftJoin(users, eq(users.id, uploads.createdBy))
    .where(and(eq(uploadFiles.imageId, image.id), eq(uploadFiles.state, 'accepted')));
  const decided = await db
    .select({
      at: decisions.createdAt,
      by: users.name,
      rule: decisions.rule,
      verdict: decisions.verdict,
      reason: decisions.reason,
    })
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.decidedBy))
    .where(and(eq(decisions.subject, 'image'), eq(decisions.subjectId, image.id)));
  const acted = await db
    .select({ at: auditLog.createdAt, by: auditLog.actor, verb: auditLog.verb })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.projectId, image.projectId),
        eq(auditLog.subject, 'image'),
        eq(auditLog.subjectId, image.id),
      ),
    );
  const entries: HistoryEntry[] = [
    {
      at: image.createdAt,
      by: arrival?.by ?? null,
      text: image.origin ? 'generated' : `added as ${arrival?.name ?? image.name}`,
    },
    ...image.notes.map((note) => ({ at: image.createdAt, by: null, text: note })),
    ...decided.map((row) => ({ at: row.at, by: row.by ?? row.rule, text: `${row.verdict}: ${row.reason}` })),
    ...acted.map((row) => ({ at: row.at, by: row.by, text: row.verb })),
  ];
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
}
