/** Smart tools of the workspace: finds the picture of a place and requests suggestions from `inference`. */

export { AssistPrompt, PlacePrompts } from '@/lib/services/inference/assists/prompt';
export { type AssistPlace, findPicture } from './find-picture';
export { type AssistsThere, hasSmartTools, prepareAssist, prepareBatch } from './prepare-pictures';
export { type SuggestedMask, type SuggestedMasks, suggestMask, suggestMasks } from './suggest-mask';
