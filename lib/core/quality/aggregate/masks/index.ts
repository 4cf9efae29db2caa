import type { Mask } from '@/lib/core/mask';
import { segmentationEm } from './em';
import type { MergedMask } from './merged';
import { pixelMajority } from './pixel-majority';
import { rasa } from './rasa';
import { staple } from './staple';

export interface MaskAggregator {
  id: string;
  name: string;
  citation: string;
  aggregate(masks: readonly Mask[]): MergedMask;
}

/** Ways to make one mask of several, simplest first. */
export const maskAggregators = [
  {
    id: 'pixel-majority',
    name: 'Pixel majority',
    citation: 'at least half of the drawings',
    aggregate: pixelMajority,
  },
  { id: 'staple', name: 'STAPLE', citation: 'Warfield et al., IEEE TMI 23 (2004)', aggregate: staple },
  { id: 'em', name: 'EM', citation: 'Lee et al., HCOMP 2018', aggregate: segmentationEm },
  {
    id: 'rasa',
    name: 'RASA, weights capped',
    citation: 'Braylan & Lease, WWW 2020',
    aggregate: rasa,
  },
] as const satisfies readonly MaskAggregator[];

export type MaskAggregatorId = (typeof maskAggregators)[number]['id'];
export type { MergedMask } from './merged';
