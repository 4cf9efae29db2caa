export { addGuidePicture, type GuidePicture, mostPictureBytes } from './add-guide-picture';
export { defaultStageText, type GuideTarget, targetsOf } from './default-text';
export { GuideExample, GuideText } from './example';
export { type ExamplePlace, type ExamplePlaces, examplePlaces } from './example-places';
export { type GuidePart, guideOf, type StageGuide, workerPictureUrl } from './guide-of';
export { guidePictures } from './guide-pictures';
export { type NewGuide, saveGuide } from './save-guide';
