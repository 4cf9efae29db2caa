export { AssistPrompt } from '@/lib/services/inference/assists/prompt';
export {
  type AssistsThere,
  hasSmartTools,
  prepareAssist,
  type SuggestedMask,
  suggestMask,
} from './suggest-mask';
