import { dawidSkene } from './dawid-skene';
import { glad } from './glad';
import { mace } from './mace';
import { goldMajority, majority } from './majority';
import { oneCoinDawidSkene } from './one-coin-dawid-skene';
import type { Aggregate, Truth, Votes } from './votes';

export interface Aggregator {
  id: string;
  name: string;
  citation: string;
  aggregate(votes: Votes, truth?: Truth): Aggregate;
}

/** Ways to make one answer of several, simplest first. */
export const aggregators = [
  { id: 'majority', name: 'Majority', citation: 'one person, one vote', aggregate: majority },
  {
    id: 'gold-majority',
    name: 'Gold-weighted majority',
    citation: 'Toloka, dynamic overlap',
    aggregate: goldMajority,
  },
  {
    id: 'one-coin-dawid-skene',
    name: 'One-coin Dawid-Skene',
    citation: 'Zhang et al., JMLR 17 (2016)',
    aggregate: oneCoinDawidSkene,
  },
  {
    id: 'dawid-skene',
    name: 'Dawid-Skene',
    citation: 'Dawid & Skene, Applied Statistics 28 (1979)',
    aggregate: dawidSkene,
  },
  { id: 'mace', name: 'MACE', citation: 'Hovy et al., NAACL-HLT 2013', aggregate: mace },
  { id: 'glad', name: 'GLAD', citation: 'Whitehill et al., NIPS 2009', aggregate: glad },
] as const satisfies readonly Aggregator[];

export type AggregatorId = (typeof aggregators)[number]['id'];
export { type Aggregate, bestClass, indexVotes, noTruth, type Truth, type Vote, type Votes } from './votes';
