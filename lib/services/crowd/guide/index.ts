export { defaultStageText, type GuideTarget, targetsOf } from './default-text';
export {
  type ExamplePlace,
  type ExamplePlaces,
  examplePlaces,
  GuideExample,
  GuideText,
} from './example-places';
export { type GuidePart, guideOf, type StageGuide, workerPictureUrl } from './guide-of';
export {
  addGuidePicture,
  type GuidePicture,
  guidePictures,
  mostPictureBytes,
  type NewGuide,
  saveGuide,
} from './save-guide';
