export { type GoldPlace, goldQuestion, targetProblem } from './gold-question';
export { type GoldImport, importGold, MAX_LINES } from './import-gold';
export {
  type GoldPage,
  type GoldQuery,
  type GoldState,
  goldTargets,
  type ListedGold,
  listGold,
  type PickedImage,
  pickImages,
} from './list-gold';
export { type Authored, type AuthoredGold, authorGold } from './store-gold';
