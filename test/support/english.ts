import { createTranslator } from 'next-intl';
import { type EditorMessage, editorText, type OutboxStatus, type Translate } from '@/lib/core/editor';
import messages from '@/messages/en.json';

const canvas = createTranslator({ locale: 'en', messages, namespace: 'canvas' });
const stored = createTranslator({ locale: 'en', messages, namespace: 'work.stored' });

/** A message of the editor as an English page shows it. */
export const englishText = (message: EditorMessage): string =>
  editorText(canvas as unknown as Translate, message);

/** What an English page shows about the storage of work. */
export const englishStatus = ({ kind, ...values }: OutboxStatus): string =>
  (stored as unknown as Translate)(kind, values);
