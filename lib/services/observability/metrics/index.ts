export { metricsText } from './metrics-text';
export { observeJob, observeRequest } from './observed';
