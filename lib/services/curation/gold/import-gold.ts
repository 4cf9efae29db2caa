import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { actorId } from '@/lib/core/actor';
import { invalid, notFound, TesseraError } from '@/lib/core/errors';
import { encodeCounts, fromCounts, MaskError } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { choicesFrom, type DatasetSchema } from '@/lib/core/schema';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { checkAnswer, SubmittedValue } from '@/lib/services/crowd/work/check-answer';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { targetProblem } from './gold-question';
import { type KnownAnswer, lockPlaces, storeGold } from './store-gold';

const { images, projects, schemaVersions, stages } = tables;

/** In one transaction; a longer file is given in pieces. */
export const MAX_LINES = 2000;

export interface GoldImport {
  /** Lines that are not empty: imported + unchanged + refused. */
  lines: number;
  imported: number;
  /** The same answer was there already. */
  unchanged: number;
  refused: { line: number; reason: string }[];
}

/** Takes in known answers, one JSON object per line. A line that is refused says why and stops no other. */
export async function importGold(
  db: Database,
  actor: Actor,
  { projectId, text, use }: { projectId: string; text: string; use: boolean },
): Promise<GoldImport> {
  await authorise(db, actor, 'gold.write', { project: projectId });
  const given = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((content, index) => ({ number: index + 1, content }))
    .filter(({ content }) => content.trim() !== '');
  if (given.length === 0) throw invalid('The file has no lines.');
  if (given.length > MAX_LINES) {
    throw invalid(
      `The file has ${given.length} lines, at most ${MAX_LINES} go in one import. Give it in pieces.`,
    );
  }
  const refused: GoldImport['refused'] = [];
  const read = given.flatMap(({ number, content }) => {
    const line = readGoldLine(content);
    if (line.ok) return [{ number, line: line.line }];
    refused.push({ line: number, reason: line.reason });
    return [];
  });
  const place = await placeOf(db, projectId);
  const known = await imagesNamed(
    db,
    projectId,
    read.map(({ line }) => line.image),
  );
  const accepted = new Map<string, KnownAnswer>();
  for (const { number, line } of read) {
    const answer = answerOf(line, place, known, actorId(actor), use);
    const key = typeof answer === 'string' ? '' : `${answer.stageId} ${answer.imageId} ${answer.target}`;
    if (typeof answer === 'string') refused.push({ line: number, reason: answer });
    else if (accepted.has(key))
      refused.push({ line: number, reason: 'An earlier line answers the same question.' });
    else accepted.set(key, answer);
  }
  refused.sort((a, b) => a.line - b.line);
  const stored = await store(db, actor, projectId, [...accepted.values()], refused.length);
  return { lines: given.length, ...stored, refused };
}

async function store(
  db: Database,
  actor: Actor,
  projectId: string,
  answers: readonly KnownAnswer[],
  refused: number,
) {
  return db.transaction(async (tx) => {
    await lockPlaces(tx, answers);
    let unchanged = 0;
    for (const answer of answers) {
      const { outcome } = await storeGold(tx, answer);
      if (outcome === 'unchanged') unchanged += 1;
    }
    const imported = answers.length - unchanged;
    await record(tx, {
      actor,
      verb: 'gold.import',
      subject: 'project',
      subjectId: projectId,
      projectId,
      detail: { imported, unchanged, refused },
    });
    return { imported, unchanged };
  });
}

async function placeOf(db: Db, projectId: string) {
  const [project] = await db
    .select({ policy: projects.policy, schema: schemaVersions.document, schemaVersionId: schemaVersions.id })
    .from(projects)
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  if (!project) throw notFound('project');
  const asked = await db
    .select()
    .from(stages)
    .where(eq(stages.projectId, projectId))
    .orderBy(stages.position);
  return { ...project, projectId, stages: asked };
}

type Place = Awaited<ReturnType<typeof placeOf>>;
type Image = typeof images.$inferSelect;

/** Images by their names and by the hashes of their files, in one statement. */
async function imagesNamed(db: Db, projectId: string, names: string[]): Promise<Map<string, Image[]>> {
  const wanted = [...new Set(names)];
  const rows = await db
    .select()
    .from(images)
    .where(
      and(
        eq(images.projectId, projectId),
        sql`(${images.name} = any (${sql.param(wanted)}::text[])
          or ${images.sourceSha256} = any (${sql.param(wanted)}::text[]))`,
      ),
    );
  const found = new Map<string, Image[]>();
  for (const image of rows) {
    for (const name of new Set([image.name, image.sourceSha256])) {
      found.set(name, [...(found.get(name) ?? []), image]);
    }
  }
  return found;
}

/** What a line says, ready to be stored, or why it is refused. */
function answerOf(
  line: GoldLine,
  place: Place,
  known: Map<string, Image[]>,
  authorId: string | null,
  use: boolean,
): KnownAnswer | string {
  const [image, ...others] = known.get(line.image) ?? [];
  if (!image) return `There is no image "${line.image}".`;
  if (others.length > 0)
    return `${others.length + 1} images are called "${line.image}": give the SHA-256 of the file.`;
  if (image.state !== 'active') return `The image "${line.image}" is ${image.state}.`;
  const kind = stageKindOf(line);
  const stage = place.stages.find((each) => each.kind === kind);
  if (!stage) return `This project has no stage of the kind ${kind}.`;
  const target = targetIn(line);
  const problem = targetProblem(place.schema, kind, image.className, target);
  if (problem) return problem;
  const given = answerIn(line, place.schema, image);
  if (typeof given === 'string') return given;
  // As for any answer: what is beyond its limits could be stored, and not be read again.
  const parsed = SubmittedValue.safeParse(given);
  if (!parsed.success) return `The answer cannot be stored: ${parsed.error.issues[0]?.message}.`;
  try {
    const { value, mask } = checkAnswer(
      {
        stageKind: kind,
        schema: place.schema,
        target,
        className: image.className,
        width: image.width,
        height: image.height,
      },
      parsed.data,
    );
    const { twoPeople } = effectivePolicy(place.policy, stage.policy).gold;
    return {
      projectId: place.projectId,
      stageId: stage.id,
      imageId: image.id,
      target,
      schemaVersionId: place.schemaVersionId,
      value,
      mask,
      authorId,
      isActive: use && !twoPeople,
      reason: 'It was imported.',
    };
  } catch (error) {
    if (error instanceof TesseraError) return error.message;
    throw error;
  }
}

const polygon = z
  .array(z.number())
  .min(6)
  .refine((list) => list.length % 2 === 0, 'coordinates come in pairs');

const Rle = z.object({
  size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
  counts: z.union([z.string(), z.array(z.number())]),
});

/** One line of an import: an image, what is asked about it, and the answer. */
const GoldLine = z.strictObject({
  /** Name of the image, or the SHA-256 of its file. */
  image: z.string().min(1).max(1000),
  target: z.string().max(80).optional(),
  attributes: z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]).optional(),
  /** COCO: polygons, or run lengths. */
  segmentation: z.union([z.array(polygon).min(1).max(1000), Rle]).optional(),
  nothing: z.literal(true).optional(),
  class: z.string().max(80).optional(),
});

type GoldLine = z.infer<typeof GoldLine>;

const answers = ['attributes', 'segmentation', 'nothing', 'class'] as const;

type ReadLine = { ok: true; line: GoldLine } | { ok: false; reason: string };

function readGoldLine(text: string): ReadLine {
  // PostgreSQL has no place for it in a text, and one line must not stop the others.
  if (text.includes('\\u0000')) return { ok: false, reason: 'It holds the character U+0000.' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'It is not JSON.' };
  }
  const parsed = GoldLine.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, reason: `${issue?.path.join('.') || 'The line'}: ${issue?.message}.` };
  }
  const given = answers.filter((name) => parsed.data[name] !== undefined);
  if (given.length === 1) return { ok: true, line: parsed.data };
  const reason =
    given.length === 0
      ? `It has no answer: give one of ${answers.join(', ')}.`
      : `It has several answers (${given.join(', ')}): give one.`;
  return { ok: false, reason };
}

/** The stage that a line speaks about, by what it answers. */
function stageKindOf(line: GoldLine): StageKind {
  if (line.attributes !== undefined) return 'attributes';
  if (line.class !== undefined) return 'oracle';
  return targetIn(line) === '' ? 'object-mask' : 'part-mask';
}

/** "object" is how a whole object is called elsewhere. */
const targetIn = ({ target = '' }: GoldLine): string => (target === 'object' ? '' : target);

/** The answer in our own words, or why it cannot be one. */
function answerIn(
  line: GoldLine,
  schema: DatasetSchema,
  size: { height: number; width: number },
): AnswerValue | string {
  if (line.nothing) return { kind: 'nothing' };
  if (line.class !== undefined) return { kind: 'class', className: line.class };
  if (line.attributes !== undefined) {
    if (!Array.isArray(line.attributes)) return { kind: 'attributes', choices: line.attributes };
    const known = new Set(schema.attributes.map(({ id }) => id));
    const stranger = line.attributes.find((id) => !known.has(id));
    if (stranger !== undefined) return `The schema has no attribute "${stranger}".`;
    return { kind: 'attributes', choices: choicesFrom(schema, line.attributes) };
  }
  const { segmentation = [] } = line;
  if (Array.isArray(segmentation)) {
    const shapes = segmentation.map((outer) => ({
      kind: 'polygon' as const,
      op: 'add' as const,
      outer,
      holes: [],
    }));
    return { kind: 'mask', shapes };
  }
  const [height, width] = segmentation.size;
  if (height !== size.height || width !== size.width) {
    return `The mask is ${width} × ${height} pixels, the image ${size.width} × ${size.height}.`;
  }
  try {
    const counts =
      typeof segmentation.counts === 'string'
        ? segmentation.counts
        : encodeCounts(fromCounts(segmentation.counts, height, width));
    return { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size: [height, width], counts }] };
  } catch (error) {
    if (!(error instanceof MaskError)) throw error;
    return `The run lengths are not valid: ${error.message}.`;
  }
}
