export { type ExamOffer, examOffer } from './exam-offer';
export { listBatches, type WorkerBatch } from './list-batches';
export {
  type DecisionAboutMe,
  decisionsAbout,
  hasPassword,
  messagesOf,
  myData,
  type StatementLine,
  statement,
} from './my-data';
export {
  batchEstimate,
  type Measure,
  measuresOf,
  SCORE_GROUP,
  type StageScore,
  stageScore,
  stageScores,
} from './stage-scores';
export {
  type DurationSource,
  type PricedStage,
  type StageTerms,
  type Terms,
  termsOf,
} from './terms';
