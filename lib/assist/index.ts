export { type AssistsThere, hasSmartTools, prepareAssist } from './prepare-assist';
export { AssistPrompt } from './prompt';
export { type SuggestedMask, suggestMask } from './suggest-mask';
