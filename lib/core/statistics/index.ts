export type { Classifier } from './classifier';
export { type AttributePairs, conditional } from './correlation';
export type { ClassCounts, FormCounts, PartCounts } from './counts';
export type { Figure } from './figure';
export { type Finding, type FindingKind, looks } from './findings';
export { GRID, type PositionMap } from './position-map';
export type { MaskKind, Sizes } from './sizes';
export { type Statistics, statisticsEdition, type Totals } from './statistics';
export { statisticsOf } from './statistics-of';
