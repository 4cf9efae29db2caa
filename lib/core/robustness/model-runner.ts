import type { Head } from './onnx/find-features';
import type { OutputKind } from './onnx/output-kind';
import type { Picture } from './picture';
import type { FeatureMap } from './saliency/class-map';

/** A picture's logits, with the map of features they were made of. */
export interface Seen {
  logits: Float32Array;
  features: FeatureMap;
}

/** Of v · logits with v = seed + share · softmax(logits), v being held fixed. */
export interface Gradients {
  logits: Float32Array;
  /** By the picture, in its own units and order. */
  gradient: Float32Array;
  /** By the map of features; null where the file does not give it. */
  features: FeatureMap | null;
}

/**
 * A model that can be asked. What it cannot do is null: every model gives logits, most a map of features, some their
 * gradient. Answers come in the order of the pictures and do not depend on who else is asked about.
 */
export interface ModelRunner extends AsyncDisposable {
  readonly classes: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Of the file. What comes out here are always logits: of probabilities their logarithms. */
  readonly kind: OutputKind;
  logits(pictures: readonly Picture[]): Promise<Float32Array[]>;
  readonly features: ((pictures: readonly Picture[]) => Promise<Seen[]>) | null;
  /** Of the map of features. */
  readonly map: Pick<FeatureMap, 'channels' | 'width' | 'height'> | null;
  /** Of a model that averages its map and then is linear. */
  readonly head: Head | null;
  /** From maps of features to logits. */
  readonly tail: ((maps: readonly FeatureMap[]) => Promise<Float32Array[]>) | null;
  readonly gradient: ((picture: Picture, seed: Float32Array, share?: number) => Promise<Gradients>) | null;
  /** The gradient comes with that by the map of features. */
  readonly hasMapGradient: boolean;
}
