import type { Database } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { labelParts } from '@/lib/demo/complete';
import type { DemoImage } from '@/lib/demo/past-work';
import { makePictures } from '@/lib/demo/pictures';
import type { ScenePreset } from '@/lib/demo/scenes/scene';
import { createProject, getProject } from '@/lib/services/projects';
import { storage } from '@/lib/services/storage';

/** A project whose generated pictures all have their part labels, as the demo's finished project. */
export async function labelledProject(
  db: Database,
  { preset, slug, count, classes }: { preset: ScenePreset; slug: string; count: number; classes?: string[] },
) {
  const { id } = await createProject(db, systemActor('Test'), {
    slug,
    name: 'Labelled pictures',
    description: 'Generated pictures with every part labelled.',
    preset,
  });
  const { schema, schemaVersionId, stages } = await getProject(db, id);
  if (!schema || !schemaVersionId) throw new Error('A new project has a schema.');
  const classNames = classes ?? schema.classes.map((entry) => entry.id);
  const pictures: DemoImage[] = [];
  const series = { projectId: id, preset, classNames, first: 0, count };
  for await (const picture of makePictures(db, storage(), series)) pictures.push(picture);
  const stageOf = (kind: 'attributes' | 'object-mask' | 'part-mask') => ({
    id: stages.find((stage) => stage.kind === kind)?.id ?? '',
    kind,
  });
  const project = {
    id,
    schema,
    schemaVersionId,
    stages: {
      attributes: stageOf('attributes'),
      objectMask: stageOf('object-mask'),
      partMask: stageOf('part-mask'),
    },
  };
  await db.transaction((tx) => labelParts(project, pictures, new Date('2026-01-02')).write(tx));
  return { projectId: id, schema, pictures };
}

/** What a job or the command line gives to services that take long. */
export const patiently = (db: Database) => ({
  db,
  storage: storage(),
  signal: new AbortController().signal,
  progress: async () => {},
});
