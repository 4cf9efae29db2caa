export { type Cluster, clustersOf, type Leak, leaksOf, splitByGroup } from './groups';
export { type Assignment, inOrder, type Member, type Shares, type Tie, usualShares } from './member';
export {
  foldName,
  labelledAt,
  quotasOf,
  splitIntoFolds,
  splitStratified,
  usualFractions,
} from './stratified';
