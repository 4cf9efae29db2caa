export { boxesRule, boxMask } from './boxes';
export { type DerivedLabels, derivations, deriveLabels } from './derive-labels';
export { foregroundRule, objectsRule } from './objects';
