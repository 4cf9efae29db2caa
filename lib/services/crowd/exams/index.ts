export { examMistakes } from './exam-mistakes';
export { examSettings } from './exam-settings';
export { type Feedback, getFeedback } from './get-feedback';
