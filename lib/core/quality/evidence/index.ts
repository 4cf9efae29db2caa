/** Anytime-valid evidence against a worker, from checks. See docs/methods.md. */
export { wealthPath } from './betting';
export { type Evidence, isReached, measureEvidence, type SequentialTest, shareOfLimit } from './evidence';
export { groupByImage, type ImageChecks, type Outcomes, stageOutcomes } from './outcomes';
