export { type AssistsThere, prepareAssist } from './prepare-assist';
export { AssistPrompt } from './prompt';
export { type SuggestedMask, suggestMask } from './suggest-mask';
