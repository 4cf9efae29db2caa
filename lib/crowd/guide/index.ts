export { defaultStageText, type GuideTarget, targetsOf } from './default-text';
export { GuideExample, GuideText } from './example';
export { type GuidePart, guideOf, type StageGuide } from './guide-of';
export { addGuidePicture, type GuidePicture, guidePictures } from './pictures';
export { type NewGuide, saveGuide } from './save-guide';
