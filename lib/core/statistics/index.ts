/** Statistics of a dataset in one pass: counts, correlations, mask sizes and positions, label checks, a linear classifier. */

export { type AttributePairs, conditional } from './attribute-pairs';
export type { Classifier } from './classifier';
export {
  type ClassCounts,
  type FlagCounts,
  type FormCounts,
  type ObjectCounts,
  type PartCounts,
  regionKind,
  type StuffCounts,
} from './counts';
export { type Finding, type FindingKind, labelChecks } from './findings';
export { type Figure, GRID, type MaskKind, type PositionMap, type Sizes } from './masks';
export { type Statistics, statisticsEdition, summarizeDataset, type Totals } from './summarize-dataset';
