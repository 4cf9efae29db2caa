/** Smart tools of the workspace: finds the picture of an item and requests suggestions from `inference`. */

export { AssistPrompt } from '@/lib/services/inference/assists/prompt';
export {
  type AssistsThere,
  hasSmartTools,
  prepareAssist,
  type SuggestedMask,
  suggestMask,
} from './suggest-mask';
