import { type ProjectTexts, textKeys } from '@/lib/core/translations';
import { ConsentDocument } from '../consent/document';

export interface ShownConsent {
  document: ConsentDocument;
  language: string;
  /** The translations that make it up, in the order of the fields; none for the original. */
  translationIds: string[];
}

/**
 * The consent text as one reader sees it. It is translated as a whole or not at all: nobody agrees to a text of which
 * they can read half.
 */
export function translateConsent(document: ConsentDocument, texts: ProjectTexts): ShownConsent {
  const fields = Object.keys(ConsentDocument.shape) as (keyof ConsentDocument)[];
  const translated = { ...document };
  const translationIds: string[] = [];
  for (const field of fields) {
    const found = texts.peek(textKeys.consent(field), document[field]);
    if (!found) return { document, language: texts.original, translationIds: [] };
    translated[field] = found.text;
    translationIds.push(found.id);
  }
  return { document: translated, language: texts.wanted, translationIds };
}
