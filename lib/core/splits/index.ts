export { splitByGroup } from './by-group';
export { type Cluster, clustersOf } from './clusters';
export { labelledAt, usualFractions } from './fractions';
export { foldName, splitIntoFolds } from './k-fold';
export { type Leak, leaksOf } from './leaks';
export { type Assignment, inOrder, type Member, type Shares, type Tie, usualShares } from './member';
export { quotasOf } from './quotas';
export { splitStratified } from './stratified';
