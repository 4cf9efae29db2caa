export { boxesRule, boxMask } from './boxes';
export { type Centroid, centroidOf, centroidsRule } from './centroids';
export { type DerivedLabels, derivations, deriveLabels } from './derive-labels';
export { foregroundRule, objectsRule } from './objects';
export { type GroupedImage, groupOfPart, groupParts, largestObject, pascalGroupsRule } from './pascal-groups';
export { derivedRules } from './rules';
export {
  type Crop,
  type CropSettings,
  cutMap,
  paperCrops,
  streetCrops,
  streetCropsRule,
} from './street-crops';
