import type { Benchmark } from './tables';

/** One of the two layouts of OV-PARTS. */
export interface Layout {
  benchmark: Benchmark;
  /** Value of pixels without a label. */
  ignore: number;
  /** COCO files of the objects instead of maps of their classes. */
  hasInstances: boolean;
  folder(split: string): string;
  splitOf(folder: string): string;
}
