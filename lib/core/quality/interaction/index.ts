export { type InteractionEvent, InteractionRecorder, type RecorderState } from './recorder';
export {
  actsOf,
  InteractionSummary,
  type MachineMark,
  marksOf,
  placingEvents,
  readInteraction,
} from './summary';
