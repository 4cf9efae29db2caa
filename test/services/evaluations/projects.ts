import { type Database, newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { area, encodeCounts, type Mask } from '@/lib/core/mask';
import { choicesFrom, localisedAttributes } from '@/lib/core/schema';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { putBlob, storage } from '@/lib/services/storage';
import { labelledProject, patiently } from '@/test/support/labelled-project';
import { jobIn } from '../curation/audit/rated';
import { brightContract, brightParts } from '../training/loop-model';

const actor = systemActor('Test');
const CLASSES = ['Aeroplane', 'Bird'];

/** A project with a frozen version and models that look at how bright a picture is. */
export async function studio(db: Database, slug: string, count = 12) {
  const { projectId } = await labelledProject(db, { preset: 'part-imagenet', slug, count, classes: CLASSES });
  const freeze = () => freezeVersion(patiently(db), actor, { projectId, request: FreezeRequest.parse({}) });
  await freeze();
  const addModel = async (name: string, onnx = brightParts()) => {
    const { sha256 } = await putBlob(db, storage(), onnx, { mediaType: 'application/octet-stream' });
    const id = newId();
    const contract = { ...brightContract, classes: CLASSES, parts: [], maskValues: [] };
    await db.insert(tables.models).values({ id, projectId, name, blob: sha256, contract });
    return id;
  };
  const asked = (wanted: Partial<NewEvaluation> & { model: string }) =>
    NewEvaluation.parse({ version: 'latest', split: 'train', ...wanted });
  const evaluate = async (wanted: Partial<NewEvaluation> & { model: string }) => {
    const { id } = await startEvaluation(db, actor, { projectId, evaluation: asked(wanted) });
    await runEvaluation({ ...jobIn(db), storage: storage() }, { evaluationId: id });
    return getEvaluation(db, { projectId, evaluationId: id });
  };
  return { projectId, addModel, asked, evaluate, freeze };
}

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
