/** Partitions of images into train, val and test or into folds, without leaks between groups. */

export { buildClusters, type Cluster, findLeaks, type Leak, splitByGroup } from './groups';
export { type Assignment, defaultShares, type Member, type Shares, sortSplits, type Tie } from './member';
export {
  allocateQuotas,
  DEFAULT_MIN_PER_CLASS,
  defaultFractions,
  foldName,
  raiseSmallQuotas,
  selectLabelled,
  splitIntoFolds,
  splitStratified,
} from './stratified';
