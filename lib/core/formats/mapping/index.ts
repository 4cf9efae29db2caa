export * from './account';
export {
  type MappedImage,
  MappingApplier,
  type Origin,
  SKIPPED_BY_MAPPING,
  type SkippedAnnotation,
} from './apply';
export {
  CategoryMapping,
  type ClassRule,
  checkMapping,
  Mapping,
  type MappingTarget,
  parseMapping,
  type SplitRule,
  targets,
  writeMapping,
} from './mapping';
export { applyToSource, openSource, readLists } from './open-source';
export { paintOverlay } from './overlay';
export { type Proposal, proposeMapping } from './propose';
export { schemaOfMapping } from './schema';
export { collectStatistics, type SourceCategory, type SourceStatistics } from './statistics';
