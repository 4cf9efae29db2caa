import type { EvaluationView } from './list-evaluations';

/** What saliency was measured on: numbers of different kinds of maps say nothing about each other. */
export type SaliencyMap = 'class map' | 'sensitivity' | 'occlusion';

/** Class maps of all kinds are one; an evaluation from before tiles does not say. */
export function saliencyMap({ metrics }: Pick<EvaluationView, 'metrics'>): SaliencyMap {
  const looking = metrics?.offers.looking;
  return looking === 'sensitivity' || looking === 'occlusion' ? looking : 'class map';
}
