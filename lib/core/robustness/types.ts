import type { LatentSpace } from './fmr/generators';
import type { CrowdVerdict } from './fmr/variants';
import type { OutputKind } from './logits';
import type { Head } from './onnx/find-features';
import type { Picture, Region } from './picture';
import type { Rng } from './random';
import type { FeatureMap } from './saliency/maps';

/** The four evaluation paradigms of Robustness Gym. */
export const paradigms = ['subpopulation', 'transformation', 'evaluation set', 'attack'] as const;
export type Paradigm = (typeof paradigms)[number];

/** Requirements of a variant. */
const needs = [
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

/** An image with its annotations at the input size of the model. */
export interface Sample {
  /** sha256 of the uploaded file; equal for the same image in all versions. */
  id: string;
  name: string;
  className: string;
  /** Index of the class in the contract of the model. */
  classIndex: number;
  split: string;
  picture: Picture;
  /** Union of all objects of the image's class; null without an object mask. */
  object: Region | null;
  parts: Readonly<Record<string, Region>>;
  /** Ids of the attributes that are present; null if unanswered. */
  attributes: readonly string[] | null;
  attributeRegions: Readonly<Record<string, Region>>;
  /** Probability that the labels are right. */
  confidence: number;
}

/** One setting of a variant. */
export interface Cell {
  /** Strength, severity, angle …: a name or a number, as displayed. */
  level: number | string;
  /** Index of the repetition, from 0; each has its own random numbers. */
  trial: number;
}

/** Why a sample was skipped in a cell. Skips are counted and reported. */
export const reasons = {
  'mask-missing': 'No object mask.',
  'mask-empty': 'The mask is empty at the input size of the model.',
  'mask-tiny': 'The object covers less than half a percent of the picture.',
  'mask-full': 'The object covers the whole picture.',
  'whole-object': 'The attribute covers the whole object.',
  'attribute-missing': 'The image does not have the attribute, or it is not drawn.',
  'no-donor': 'No suitable donor image in this split.',
  truncated: 'The object is cut off by the edge of the picture.',
  'out-of-frame': 'Too little of the object would stay in the picture.',
  'oracle-refused': 'The oracle did not recognise the true class.',
  'oracle-silent': 'Workers did not judge the image.',
  'not-finite': 'The model output is not finite.',
} as const;
export type Reason = keyof typeof reasons;

export type Outcome =
  | { picture: Picture; extra?: Readonly<Record<string, number | string | null>> }
  | { invalid: Reason };

/** Everything that a variant can use besides its sample. */
export interface VariantContext {
  /** Another image of the same split, drawn with the random numbers of the cell; null if there is none. */
  donor(
    sample: Sample,
    rng: Rng,
    which: 'same class' | 'other class' | 'next class' | { without: string },
  ): Promise<Sample | null>;
  /** The class in which the attribute is most frequent; null if it is unanswered. */
  typicalClass(attribute: string): number | null;
  /** Logits of pictures, independent of each other. Counts as queries. */
  query(pictures: readonly Picture[]): Promise<Float32Array[]>;
  /**
   * ∂ (v · logits) / ∂ picture with constant v = seed + share · softmax(logits); null if the model has no gradient graph.
   * Share defaults to 0; share 1 and seed −1 at the true class give the cross entropy.
   */
  gradient:
    | ((
        picture: Picture,
        seed: Float32Array,
        share?: number,
      ) => Promise<{ logits: Float32Array; gradient: Float32Array }>)
    | null;
  /** Saliency map for a class, 0 to 1 at the size of the picture, and the method. */
  saliency?: (picture: Picture, classIndex: number) => Promise<{ map: Float32Array; by: string }>;
  /** The last feature map before pooling. */
  features?: (picture: Picture) => Promise<FeatureMap>;
  /** JPEG round trip, injected because the codec is not pure. */
  compressJpeg(picture: Picture, quality: number): Promise<Picture>;
  /** Class index chosen by the oracle, or null for "cannot tell". Null without an oracle. */
  oracle: ((sample: Sample, picture: Picture) => Promise<number | null>) | null;
  /** Verdicts of workers about an image and its adversarial chain; null if they were not asked. */
  crowdVerdict?: ((sample: Sample) => Promise<CrowdVerdict | null>) | null;
  /** Latent space of a decoder, at the input size of the model. */
  latents?: LatentSpace | null;
}

/** One way to perturb a picture, or to leave it unchanged. */
export interface Variant {
  id: string;
  /** Increased when the same settings give another result: stored rows of older versions are not reused. */
  version: number;
  description: string;
  paradigm: Paradigm;
  needs: readonly Need[];
  /** Everything else that the result depends on; part of the key of stored rows. */
  parameters: Readonly<Record<string, number | string | boolean>>;
  /** Key of the random numbers if several variants share them; defaults to the id. */
  rngName?: string;
  cells: readonly Cell[];
  /** Approximate number of model runs per cell and sample. */
  runs: number;
  apply(sample: Sample, cell: Cell, rng: Rng, context: VariantContext): Promise<Outcome> | Outcome;
}

/** Stored result of one sample in one cell. */
export interface Row {
  sample: string;
  variant: string;
  level: number | string;
  trial: number;
  /** Null if there is a result. */
  reason: Reason | null;
  predicted: number;
  /** Probability of the true class. */
  pTrue: number;
  /** Logit of the true class minus the largest other logit. */
  margin: number;
  extra: Readonly<Record<string, number | string | null>>;
  queries: number;
}

/** Logits of a picture with the feature map that they are computed from. */
interface FeatureOutput {
  logits: Float32Array;
  features: FeatureMap;
}

/** Gradients of v · logits with v = seed + share · softmax(logits), v being constant. */
export interface GradientOutput {
  logits: Float32Array;
  /** With respect to the picture, in its own units and order. */
  gradient: Float32Array;
  /** With respect to the feature map; null if the file does not provide it. */
  features: FeatureMap | null;
}

/**
 * A running model. Unsupported functions are null: every model returns logits, most a feature map, some a gradient.
 * Results are in the order of the pictures and independent of the other pictures in the call.
 */
export interface ModelRunner extends AsyncDisposable {
  readonly classes: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Output of the file. This interface always returns logits; probabilities are converted to logarithms. */
  readonly kind: OutputKind;
  logits(pictures: readonly Picture[]): Promise<Float32Array[]>;
  readonly features: ((pictures: readonly Picture[]) => Promise<FeatureOutput[]>) | null;
  /** Of the map of features. */
  readonly map: Pick<FeatureMap, 'channels' | 'width' | 'height'> | null;
  /** Linear head of a model that averages its feature map. */
  readonly head: Head | null;
  /** From maps of features to logits. */
  readonly tail: ((maps: readonly FeatureMap[]) => Promise<Float32Array[]>) | null;
  readonly gradient:
    | ((picture: Picture, seed: Float32Array, share?: number) => Promise<GradientOutput>)
    | null;
  /** The gradient graph also returns the gradient with respect to the feature map. */
  readonly hasMapGradient: boolean;
}
