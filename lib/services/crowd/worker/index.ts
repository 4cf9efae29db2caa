export { batchEstimate } from './batch-estimate';
export { type DecisionAboutMe, decisionsAbout } from './decisions-about';
export { type ExamOffer, examOffer } from './exam-offer';
export { listBatches, type WorkerBatch } from './list-batches';
export { hasPassword, messagesOf, myData } from './my-data';
export {
  type Measure,
  measuresOf,
  SCORE_GROUP,
  type StageScore,
  stageScore,
  stageScores,
} from './stage-scores';
export { type StatementLine, statement } from './statement';
export {
  type DurationSource,
  type PricedStage,
  type StageTerms,
  type Terms,
  termsOf,
} from './terms';
