import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { type EditorMessage, editorText, type Translate } from '@/lib/core/editor';

/** Translates what the editor reports into the language of the page. */
export function useEditorText(): (message: EditorMessage) => string {
  const t = useTranslations('canvas');
  return useCallback((message) => editorText(t as unknown as Translate, message), [t]);
}
