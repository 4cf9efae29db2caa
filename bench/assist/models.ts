import { outlineShapes } from '@/lib/core/editor';
import { boundingBox, iou, type Mask, rasterizeShapes } from '@/lib/core/mask';
import type { Embedding } from '@/lib/services/inference/assists/embedding-files';
import type { Models } from '@/lib/services/inference/assists/model-files';
import type { PlacePrompt } from '@/lib/services/inference/assists/prompt';
import type { SalientObject } from '@/lib/services/inference/assists/run-models';
import {
  type AssistPicture,
  SamDecoder,
  SamEncoder,
} from '@/lib/services/inference/assists/segment-anything';
import { deepest } from './region';
import type { Target } from './targets';
import { correctUntilGood, landing, nothingDone, type Trial } from './trial';

const MAX_CLICKS = 10;

/** Both halves of Segment Anything in this process, with the embedding of the last picture. */
export class SegmentAnything {
  #last: { key: string; embedding: Promise<Embedding> } | undefined;

  private constructor(
    readonly name: string,
    readonly encoder: SamEncoder,
    readonly decoder: SamDecoder,
  ) {}

  static async open({ name, encoder, decoder }: NonNullable<Models['segmentAnything']>) {
    return new SegmentAnything(name, await SamEncoder.open(encoder), await SamDecoder.open(decoder));
  }

  embed(key: string, picture: AssistPicture): Promise<Embedding> {
    if (this.#last?.key !== key) this.#last = { key, embedding: this.encoder.encode(picture) };
    return this.#last.embedding;
  }

  async segment(key: string, picture: AssistPicture, prompt: PlacePrompt): Promise<Mask> {
    const [found] = await this.decoder.decode(await this.embed(key, picture), [prompt], picture.size);
    if (!found) throw new Error('A prompt is answered with a mask.');
    return found.mask;
  }
}

/** A click inside, or a box around, then a click on each mistake. */
export async function samTrial(
  model: SegmentAnything,
  target: Target,
  start: 'point' | 'box',
): Promise<Trial> {
  const picture = pictureOf(target);
  const key = keyOf(target);
  // Encoded since the tool was chosen; what the encoder takes is told apart.
  await model.embed(key, picture);
  let prompt: Exclude<PlacePrompt, { kind: 'scribble' }> | undefined;
  return correctUntilGood(target.truth, MAX_CLICKS, async (mistake) => {
    const isBox = !prompt && start === 'box';
    if (isBox)
      prompt = {
        kind: 'box',
        box: [...boundingBox(target.truth)] as [number, number, number, number],
        points: [],
      };
    else {
      const [x, y] = landing(deepest(mistake?.mask ?? target.truth));
      const point = { x, y, include: mistake?.isMissing ?? true };
      prompt = prompt ? { ...prompt, points: [...prompt.points, point] } : { kind: 'point', points: [point] };
    }
    const started = performance.now();
    const found = asDrawn(await model.segment(key, picture, prompt));
    const computeMs = performance.now() - started;
    const effort = { ...nothingDone, clicks: isBox ? 0 : 1, drags: isBox ? 1 : 0, looks: 1, computeMs };
    return { found, effort };
  });
}

/** One key, and it is right or it is not. */
export async function mainObjectTrial(model: SalientObject, target: Target): Promise<Trial> {
  const started = performance.now();
  const found = asDrawn(await model.segment(pictureOf(target)));
  const computeMs = performance.now() - started;
  return { iou: iou(found, target.truth), effort: { ...nothingDone, keys: 2, looks: 1, computeMs } };
}

export async function encodeMs(model: SegmentAnything, target: Target): Promise<number> {
  const started = performance.now();
  await model.encoder.encode(pictureOf(target));
  return performance.now() - started;
}

/** As polygons, which is what an accepted suggestion becomes. */
function asDrawn(mask: Mask): Mask {
  return rasterizeShapes(outlineShapes(mask), mask.height, mask.width);
}

/** Targets on one picture share its embedding. */
const keyOf = ({ bytes }: Target) => `${bytes.length} ${bytes.subarray(-64).toString('hex')}`;

const pictureOf = ({ bytes, width, height }: Target): AssistPicture => ({ bytes, size: { width, height } });
