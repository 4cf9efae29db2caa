import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { type Database, newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { type Prediction, ServedModel } from '@/lib/services/inference/predict/run-model';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import { putBlob, storage } from '@/lib/services/storage';
import { predictImages } from '@/lib/services/training/loop/predict-images';
import { changeModel } from '@/lib/services/training/models';
import { tinyOnnx } from '../../support/tiny-onnx';
import { HEIGHT, WIDTH, type Workshop } from '../crowd/workshop';
import { jobIn } from '../curation/audit/rated';

export const SIDE = 32;

/** Knows two classes and one part by brightness: what is bright is the part, and much of it is the class "bright". */
export const brightParts = (batch: number | string = 'batch'): Buffer =>
  tinyOnnx({
    inputs: { image: [batch, 3, SIDE, SIDE] },
    outputs: {
      logits: [batch, 2],
      masks: [batch, 2, SIDE, SIDE],
      features: [batch, 3, SIDE, SIDE],
    },
    nodes: [
      { op: 'ReduceMean', inputs: ['image'], outputs: ['bright'], ints: { axes: [1] } },
      { op: 'Neg', inputs: ['bright'], outputs: ['dark'] },
      { op: 'Concat', inputs: ['dark', 'bright'], outputs: ['masks'], int: { axis: 1 } },
      {
        op: 'ReduceMean',
        inputs: ['masks'],
        outputs: ['logits'],
        ints: { axes: [2, 3] },
        int: { keepdims: 0 },
      },
      { op: 'Identity', inputs: ['image'], outputs: ['features'] },
    ],
  });

export const PART = 'long-snout';

export const brightContract = {
  input: { name: 'image', height: SIDE, width: SIDE, view: 'whole', mean: [0.5, 0.5, 0.5], std: [1, 1, 1] },
  outputs: { logits: 'logits', masks: 'masks', features: 'features' },
  classes: ['bird', 'dog'],
  parts: [{ id: PART, name: 'dog Long snout', class: 1 }],
  maskValues: ['background', 'dog Long snout'],
};

/** A white rectangle on black: of the square that `square` draws, unless said otherwise. */
export const picture = ({ left = 10, top = 10, width = 20, height = 20, grey = 255 } = {}): Promise<Buffer> =>
  sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000' } })
    .composite([
      {
        input: { create: { width, height, channels: 3, background: { r: grey, g: grey, b: grey } } },
        left,
        top,
      },
    ])
    .png()
    .toBuffer();

/** Gives every image of a project the pixels of a real picture. */
export async function givePixels(db: Database, { projectId }: Workshop, bytes: Buffer): Promise<void> {
  const { sha256 } = await putBlob(db, storage(), bytes, { mediaType: 'image/png' });
  await db.update(tables.images).set({ blob: sha256 }).where(eq(tables.images.projectId, projectId));
}

export async function addModel(
  db: Database,
  { projectId }: Workshop,
  { onnx = brightParts(), contract = brightContract as Record<string, unknown>, name = 'Bright' } = {},
): Promise<string> {
  const blob = await putBlob(db, storage(), onnx, { mediaType: 'application/octet-stream' });
  const id = newId();
  await db.insert(tables.models).values({ id, projectId, name, blob: blob.sha256, contract });
  return id;
}

/** What the job of the promoted model does, without waiting for a worker process. */
export const predictNow = (db: Database, { projectId }: Workshop, signal?: AbortSignal) =>
  predictImages({ ...jobIn(db, signal), storage: storage() }, { projectId });

/** What the model says about the picture of the square: asked once, in this process. */
const said = (async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-loop-'));
  try {
    const file = path.join(folder, 'model.onnx');
    await writeFile(file, brightParts());
    const model = await ServedModel.open(file, readServingContract(brightContract));
    const [answer] = await model.predict([{ bytes: await picture(), width: WIDTH, height: HEIGHT }]);
    return answer as Prediction;
  } finally {
    await rm(folder, { recursive: true });
  }
})();

/** A promoted model that has seen every image. */
export async function promoted(db: Database, shop: Workshop, actor: UserActor): Promise<string> {
  const { projectId } = shop;
  const modelId = await addModel(db, shop);
  await changeModel(db, actor, { projectId, modelId, state: 'promoted' });
  const answer = await said;
  const images = await db.select().from(tables.images).where(eq(tables.images.projectId, projectId));
  await db.insert(tables.predictions).values(images.map(({ id }) => ({ ...answer, modelId, imageId: id })));
  return modelId;
}
