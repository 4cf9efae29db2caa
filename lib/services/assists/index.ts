export { AssistPrompt } from '@/lib/services/inference/assists/prompt';
export { type AssistsThere, hasSmartTools, prepareAssist } from './prepare-assist';
export { type SuggestedMask, suggestMask } from './suggest-mask';
