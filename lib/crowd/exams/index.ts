export { examSettings } from './exam-settings';
export { type Feedback, getFeedback } from './get-feedback';
