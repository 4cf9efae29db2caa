import { encodeCounts, type Mask } from '@/lib/core/mask';
import type { Models } from './model-files';
import type { LivePrompt } from './prompt';
import { SalientObject } from './salient-object';
import { type AssistPicture, SegmentAnything } from './segment-anything';

/** Null prepares the picture for the first prompt. */
export interface ModelQuestion {
  models: Models;
  picture: AssistPicture;
  prompt: LivePrompt | null;
}

export interface ModelAnswer {
  /** Compressed COCO counts of the upright image; null when only a preparation was asked for. */
  counts: string | null;
  model: string;
}

/** Opens each model once, when it is first needed, and again when its files have changed place. */
export class ModelRunner {
  readonly #segmentAnything = new Opened<SegmentAnything>();
  readonly #salientObject = new Opened<SalientObject>();

  async answer({ models, picture, prompt }: ModelQuestion): Promise<ModelAnswer> {
    if (prompt?.kind === 'main-object') {
      const files = models.salientObject;
      if (!files) throw new Error('There is no model for the main object.');
      const model = await this.#salientObject.get(files.network.file, () => SalientObject.open(files));
      return answered(await model.segment(picture), model.name);
    }
    const files = models.segmentAnything;
    if (!files) throw new Error('There is no Segment Anything model.');
    const place = `${files.encoder.file}\n${files.decoder.file}`;
    const model = await this.#segmentAnything.get(place, () => SegmentAnything.open(files));
    if (prompt) return answered(await model.segment(picture, prompt), model.name);
    await model.embed(picture);
    return { counts: null, model: model.name };
  }
}

class Opened<Model> {
  #current: { place: string; model: Promise<Model> } | undefined;

  get(place: string, open: () => Promise<Model>): Promise<Model> {
    if (this.#current?.place === place) return this.#current.model;
    const model = open();
    this.#current = { place, model };
    // What could not be opened may be mended until the next question.
    model.catch(() => {
      this.#current = undefined;
    });
    return model;
  }
}

const answered = (mask: Mask, model: string): ModelAnswer => ({ counts: encodeCounts(mask), model });
