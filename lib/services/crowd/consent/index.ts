export { type Agreement, agree } from './agree';
export { ConsentDocument, consentHeadings } from './document';
export { type ConsentEntry, consentHistory } from './history';
export { type ScreenNeed, screenNeeds } from './screen-needs';
export { type Consent, type ConsentState, consentOf, type WorkerConsent, workerConsents } from './state';
export { addFirstText, type ConsentText, draftText, newestText, publishText } from './texts';
export { withdraw } from './withdraw';
