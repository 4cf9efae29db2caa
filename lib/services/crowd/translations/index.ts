export {
  type LanguageProgress,
  type LanguageTexts,
  type Names,
  projectNames,
  projectTexts,
  translationProgress,
  translationsOf,
} from './read';
export { type ImportResult, importTranslations, saveTranslations, TranslationChanges } from './save';
export { type ShownConsent, translateConsent } from './translate-consent';
export { type TranslatedGuide, type TranslatedPart, translateGuide } from './translate-guide';
