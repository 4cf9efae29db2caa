export { type MachineMark, marksOf } from './marks';
export { type InteractionEvent, InteractionRecorder, type RecorderState } from './recorder';
export { actsOf, InteractionSummary, placingEvents, readInteraction } from './summary';
