import { type Database, newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { area, encodeCounts, type Mask } from '@/lib/core/mask';
import { choicesFrom, localisedAttributes } from '@/lib/core/schema';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { labelledProject, patiently } from '../../../support/labelled-project';

/** Generated pictures whose objects are drawn and whose attributes are marked and drawn, frozen as a version. */
export async function attributedProject(
  db: Database,
  { slug, count, classes }: { slug: string; count: number; classes: string[] },
): Promise<{ projectId: string }> {
  const { projectId, schema, pictures } = await labelledProject(db, {
    ...{ preset: 'rival10' as const, slug, count, classes },
  });
  const [stages, [version]] = await Promise.all([
    db.select().from(tables.stages),
    db.select().from(tables.schemaVersions),
  ]);
  const stageOf = (kind: string) =>
    stages.find((stage) => stage.projectId === projectId && stage.kind === kind)?.id ?? '';
  const add = async (imageId: string, kind: string, target: string, value: object, mask?: Mask) => {
    const itemId = newId();
    await db.insert(tables.items).values({
      ...{ id: itemId, projectId, stageId: stageOf(kind), imageId, target, state: 'settled' },
      schemaVersionId: version?.id ?? '',
    });
    await db.insert(tables.labels).values({
      ...{ id: newId(), projectId, itemId, imageId, target, value: { ...value }, confidence: 1 },
      ...{ source: 'generator', provenance: { generator: 'scenes' } },
      ...(mask ? { mask: encodeCounts(mask), area: area(mask) } : {}),
    });
  };
  for (const { id, scene } of pictures) {
    const present = Object.keys(scene.attributes).filter((each) => scene.attributes[each]);
    await add(id, 'attributes', '', { kind: 'attributes', choices: choicesFrom(schema, present) });
    await add(id, 'object-mask', '', { kind: 'mask', shapes: [] }, scene.objectMask);
    for (const { id: attribute } of localisedAttributes(schema)) {
      const mask = scene.attributeMasks[attribute];
      if (mask && area(mask) > 0) await add(id, 'part-mask', attribute, { kind: 'mask', shapes: [] }, mask);
    }
  }
  await freezeVersion(patiently(db), systemActor('Test'), { projectId, request: FreezeRequest.parse({}) });
  return { projectId };
}
