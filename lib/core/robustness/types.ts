import type { Heard } from './fmr/crowd-variant';
import type { LatentSpace } from './fmr/latent-walk';
import type { Picture } from './picture';
import type { Stream } from './random/stream';
import type { Region } from './region';
import type { FeatureMap } from './saliency/class-map';

/** The four kinds of question that an evaluation asks (Robustness Gym's): all are slices of rows. */
export const paradigms = ['subpopulation', 'transformation', 'evaluation set', 'attack'] as const;
export type Paradigm = (typeof paradigms)[number];

/** What a variant or a probe cannot do without. */
export const needs = [
  'object mask',
  'part masks',
  'attributes',
  'attribute masks',
  'donors',
  'feature map',
  'tail',
  'gradient',
  'oracle',
  'decoder',
] as const;
export type Need = (typeof needs)[number];

/** An image as the model is given it, with what people drew on it, at the same size. */
export interface Sample {
  /** sha256 of the picture as it was given: the same image in another version has the same. */
  id: string;
  name: string;
  className: string;
  /** Place of the class in the model's contract. */
  classIndex: number;
  split: string;
  picture: Picture;
  /** All objects of the image's class together; null where nobody drew one. */
  object: Region | null;
  parts: Readonly<Record<string, Region>>;
  /** Ids of the attributes that are present, or null if they were never annotated. */
  attributes: readonly string[] | null;
  attributeRegions: Readonly<Record<string, Region>>;
  /** The chance that the labels are right, 0 to 1. */
  confidence: number;
}

/** One setting of a variant. */
export interface Cell {
  /** Strength, severity, angle …: a name or a number, as it is shown. */
  level: number | string;
  /** From 0: repetitions with other chance. */
  trial: number;
}

/** Why a sample has no row in a cell. Counted and shown, never silently left out. */
export const reasons = {
  'mask-missing': 'Nobody drew the object.',
  'mask-empty': 'The mask is empty at the size of the model.',
  'mask-tiny': 'The object covers less than half a percent of the picture.',
  'mask-full': 'The object covers the whole picture: there is no background.',
  'whole-object': 'The attribute covers the whole object.',
  'attribute-missing': 'The image does not have the attribute, or nobody drew it.',
  'no-donor': 'No other image of this split can lend a background or a part.',
  truncated: 'The object is cut off by the edge of the picture.',
  'out-of-frame': 'Too little of the object would stay in the picture.',
  'oracle-refused': 'The oracle no longer saw the true class.',
  'oracle-silent': 'People were not asked about the image.',
  'not-finite': 'The model gave no finite numbers.',
} as const;
export type Reason = keyof typeof reasons;

export type Outcome =
  | { picture: Picture; extra?: Readonly<Record<string, number | string | null>> }
  | { invalid: Reason };

/** What a variant may ask beside its sample. */
export interface Surroundings {
  /** Another image of the same split, chosen by the stream; null where there is none. */
  donor(
    sample: Sample,
    chance: Stream,
    which: 'same class' | 'other class' | 'next class' | { without: string },
  ): Promise<Sample | null>;
  /** The class in which an attribute is most frequent among the images; null where nobody was asked about it. */
  typicalClass(attribute: string): number | null;
  /** Logits of pictures, each by itself. Counts as queries. */
  query(pictures: readonly Picture[]): Promise<Float32Array[]>;
  /**
   * ∂ (v · logits) / ∂ picture with v = seed + share · softmax(logits), held fixed; null where the model came without its
   * gradient. Share 0 where it is not said; share 1 and seed −1 at the true class is the cross entropy.
   */
  gradient:
    | ((
        picture: Picture,
        seed: Float32Array,
        share?: number,
      ) => Promise<{ logits: Float32Array; gradient: Float32Array }>)
    | null;
  /** Where the model looks for a class, 0 to 1 at the size of the picture, and how that was found out. */
  saliency?: (picture: Picture, classIndex: number) => Promise<{ map: Float32Array; by: string }>;
  /** The last map before it is averaged. */
  features?: (picture: Picture) => Promise<FeatureMap>;
  /** Coding is not arithmetic: it comes from outside. */
  throughJpeg(picture: Picture, quality: number): Promise<Picture>;
  /** What an outside judge sees: a class index, or null for "cannot tell". Null where there is none. */
  oracle: ((sample: Sample, picture: Picture) => Promise<number | null>) | null;
  /** What people have said about an image and what it was driven to; null where they were not asked. */
  heard?: ((sample: Sample) => Promise<Heard | null>) | null;
  /** Pictures that a decoder can draw, at the size of the model. */
  latents?: LatentSpace | null;
}

/** One way to change a picture, or to leave it. */
export interface Variant {
  id: string;
  /** Another number for another result of the same settings: rows of the old one are not used again. */
  version: number;
  says: string;
  paradigm: Paradigm;
  needs: readonly Need[];
  /** All that the result depends on beside sample, cell and seed; part of the name of its rows. */
  parameters: Readonly<Record<string, number | string | boolean>>;
  /** The name that its streams of chance go by, where several variants share them; its id where there is none. */
  streams?: string;
  cells: readonly Cell[];
  /** About how often the model is asked for one cell of one sample. */
  runs: number;
  apply(sample: Sample, cell: Cell, chance: Stream, around: Surroundings): Promise<Outcome> | Outcome;
}

/** What is kept of one sample in one cell. */
export interface Row {
  sample: string;
  variant: string;
  level: number | string;
  trial: number;
  /** Null where there is a result. */
  reason: Reason | null;
  predicted: number;
  /** Probability of the true class. */
  pTrue: number;
  /** Logit of the true class minus the best other. */
  margin: number;
  extra: Readonly<Record<string, number | string | null>>;
  queries: number;
}
