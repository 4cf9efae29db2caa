import { and, desc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { type Database, type Db, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { invalid, notFound, TesseraError } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { PictureRefused } from '@/lib/services/images/ingest/read-picture';
import { putBlob, type Storage } from '@/lib/services/storage';
import { targetsOf } from './default-text';
import { GuideText } from './example-places';

const { guides, stages, guidePictures: kept } = tables;

export interface NewGuide {
  projectId: string;
  stageId: string;
  /** The attribute or part; empty for the stage itself. */
  target: string;
  text: unknown;
}

/** Instructions are never changed: what is saved is a new number, and the older ones can be read again. */
export async function saveGuide(db: Database, actor: Actor, input: NewGuide): Promise<{ number: number }> {
  const { projectId, stageId, target } = input;
  const text = parse(input.text);
  return db.transaction(async (tx) => {
    const [stage] = await tx
      .select({ kind: stages.kind })
      .from(stages)
      .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)))
      .for('no key update');
    if (!stage) throw notFound('stage');
    const schema = await readProjectSchema(tx, projectId);
    const isAsked = schema && targetsOf(schema, stage.kind).some((entry) => entry.target === target);
    if (target !== '' && !isAsked) throw invalid(`The stage does not ask about "${target}".`);
    const pictures = await guidePictures(tx, projectId);
    if (text.examples.some(({ picture }) => !pictures.has(picture))) {
      throw invalid('An example shows a picture that was not added to this guide.');
    }
    const [last] = await tx
      .select({ number: guides.number })
      .from(guides)
      .where(and(eq(guides.stageId, stageId), eq(guides.target, target)))
      .orderBy(desc(guides.number))
      .limit(1);
    const number = (last?.number ?? 0) + 1;
    await tx
      .insert(guides)
      .values({ projectId, stageId, target, number, ...text, createdBy: actorId(actor) });
    await record(tx, {
      actor,
      verb: 'guide.save',
      subject: 'stage',
      subjectId: stageId,
      projectId,
      detail: { target, number },
    });
    return { number };
  });
}

function parse(text: unknown): GuideText {
  const parsed = GuideText.safeParse(text);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(`${issue?.path.join('.') || 'The guide'}: ${issue?.message}`);
}

/** The pictures that the guide of a project may show. */
export async function guidePictures(db: Db, projectId: string): Promise<Set<string>> {
  const rows = await db.select({ blob: kept.blob }).from(kept).where(eq(kept.projectId, projectId));
  return new Set(rows.map(({ blob }) => blob));
}

/** A photo from a telephone has 5 MB. */
export const mostPictureBytes = 20_000_000;
/** A page shows it at half of that. */
const SIDE = 2048;

export interface GuidePicture {
  sha256: string;
  width: number;
  height: number;
}

/**
 * Stores a picture for the guide of a project. Its pixels are coded anew, so that nothing else that came in the file
 * reaches a worker. What was sent is read in a process of its own; this one sees only what that one has made of it.
 */
export async function addGuidePicture(
  db: Database,
  storage: Storage,
  actor: Actor,
  input: { projectId: string; name: string; bytes: Buffer },
): Promise<GuidePicture> {
  if (input.bytes.length > mostPictureBytes) {
    throw new TesseraError('too-large', `A picture of the guide has at most ${mostPictureBytes / 1e6} MB.`);
  }
  const picture = await picturePool()
    .read(input.bytes)
    .catch((error) => {
      throw error instanceof PictureRefused ? invalid(error.message) : error;
    });
  // As strict as the reading before it: what that takes with a warning is no failure here.
  const { data, info } = await sharp((picture.working ?? picture).bytes, { failOn: 'error' })
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90 })
    .toBuffer({ resolveWithObject: true });
  const { sha256 } = await putBlob(db, storage, data, { mediaType: 'image/webp' });
  const { projectId, name } = input;
  await db.transaction(async (tx) => {
    await tx
      .insert(tables.guidePictures)
      .values({ projectId, blob: sha256, name, createdBy: actorId(actor) })
      .onConflictDoNothing();
    await record(tx, {
      actor,
      verb: 'guide.add-picture',
      subject: 'project',
      subjectId: projectId,
      projectId,
      detail: { sha256 },
    });
  });
  return { sha256, width: info.width, height: info.height };
}
