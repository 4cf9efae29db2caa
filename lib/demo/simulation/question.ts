import type { DatasetSchema } from '@/lib/core/schema';
import type { Scene } from '@/lib/demo/scenes';

export type AskedKind = 'attributes' | 'object-mask' | 'part-mask' | 'oracle';

/** One item as a worker meets it. */
export interface Question {
  stageKind: AskedKind;
  schema: DatasetSchema;
  width: number;
  height: number;
  /** The attribute or part to draw; empty where the whole object or the image is asked about. */
  target: string;
  /** Tells the picture from others, as far as a client can. */
  picture: string;
  /** What is on the picture; null when the generator did not make it. */
  scene: Scene | null;
}

/** The same question looks the same to everybody who meets it. */
export const questionKey = ({ stageKind, picture, target }: Question): string =>
  `${stageKind} ${picture} ${target}`;
