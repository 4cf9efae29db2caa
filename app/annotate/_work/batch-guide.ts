import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { guideOf, workerPictureUrl } from '@/lib/services/crowd/guide';
import { guideExamples } from '@/lib/services/crowd/guide-examples';
import { projectTexts, type TranslatedPart, translateGuide } from '@/lib/services/crowd/translations';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { type BatchGuide, noGuide, type ShortGuide } from './short-guide';

const { batches, projects } = tables;

/** The short guide of the worker's own batch; an empty one where there is no such batch. */
export async function batchGuide(
  db: Db,
  workerId: string,
  batchId: string,
  locale: string,
): Promise<BatchGuide> {
  const [found] = await db
    .select({
      projectId: projects.id,
      slug: projects.slug,
      isDemo: projects.isDemo,
      stageId: batches.stageId,
    })
    .from(batches)
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .where(and(eq(batches.id, batchId), eq(batches.workerId, workerId)));
  if (!found) return noGuide;
  const pictureUrl = workerPictureUrl(found.slug);
  const schema = await readProjectSchema(db, found.projectId);
  if (!schema) return noGuide;
  const texts = await projectTexts(db, found.projectId, locale);
  const guide = await guideOf(db, found.projectId, found.stageId, pictureUrl);
  const { general, targets, pictures } = translateGuide(guide, schema, texts);
  // Labels of a real project are nobody's choice of an example.
  const labelled = found.isDemo ? await guideExamples(db, found.projectId) : undefined;
  const shortOf = ({ short, languages, examples }: TranslatedPart, target = ''): ShortGuide => ({
    short,
    language: languages.short,
    written: examples.flatMap(({ picture, ...example }) => {
      const url = pictures[picture];
      return url ? [{ url, ...example }] : [];
    }),
    labelled: (examples.length === 0 && labelled?.get(target)) || [],
  });
  return {
    general: shortOf(general),
    targets: Object.fromEntries(targets.map((part) => [part.target, shortOf(part, part.target)])),
    pictures,
    coverage: texts.coverage,
  };
}
