'use client';

import { useId } from 'react';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { Input, Textarea } from '@/app/_ui/forms';
import { State } from '@/app/_ui/state';
import { languageName } from '@/lib/core/i18n/locales';
import { cleanText, type TextEntry, textProblem } from '@/lib/core/translations';

interface TextRowProps {
  entry: TextEntry;
  /** What the curator wrote since the page was opened; undefined for nothing. */
  edit: string | undefined;
  isUnsaved: boolean;
  languages: {
    language: string;
    direction: 'ltr' | 'rtl';
    original: string;
    originalDirection: 'ltr' | 'rtl';
  };
  readOnly: boolean;
  onEdit: (text: string) => void;
  onDiscard: () => void;
}

const tones = { translated: 'good', outdated: 'warn', missing: 'neutral' } as const;
const words = { translated: 'Translated', outdated: 'Outdated', missing: 'Missing' } as const;

/** One text: the original, and beside it its translation. */
export function TextRow({ entry, edit, isUnsaved, languages, readOnly, onEdit, onDiscard }: TextRowProps) {
  const id = useId();
  const { label, original, state, translation, translatedFrom, isMarkdown, isMultiline, maxLength } = entry;
  const { language, direction, original: originalLanguage, originalDirection } = languages;
  const text = edit ?? translation;
  const problem = textProblem(cleanText(text), entry);
  const control = {
    id: `${id}-text`,
    value: text,
    lang: language,
    dir: direction,
    disabled: readOnly,
    maxLength,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? `${id}-problem` : undefined,
    onChange: (event: { target: { value: string } }) => onEdit(event.target.value),
  };
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">{label}</h3>
        {!isUnsaved ? (
          <State state={state} tone={tones[state]} className="text-xs text-ink-2">
            {words[state]}
          </State>
        ) : (
          <State state="edited" tone="busy" className="text-xs text-ink-2">
            Not saved
          </State>
        )}
        {isMarkdown && <Badge>Markdown</Badge>}
        {!readOnly && isUnsaved && (
          <Button variant="quiet" onClick={onDiscard} aria-label={`Undo the edit of ${label}`}>
            Undo
          </Button>
        )}
        {!readOnly && !isUnsaved && state === 'outdated' && (
          <Button variant="quiet" onClick={() => onEdit(translation)} aria-label={`${label}: still correct`}>
            Still correct
          </Button>
        )}
      </div>
      <div className="grid items-start gap-x-4 gap-y-2 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-1">
          <span className="text-xs text-ink-3">{languageName(originalLanguage, 'en')}</span>
          <p
            lang={originalLanguage}
            dir={originalDirection}
            className="rounded-md bg-sunken px-2.5 py-1.5 whitespace-pre-wrap wrap-anywhere"
          >
            {original}
          </p>
          {translatedFrom !== null && (
            <details className="text-sm text-ink-2">
              <summary>Original that was translated</summary>
              <p
                lang={originalLanguage}
                dir={originalDirection}
                className="mt-1 whitespace-pre-wrap wrap-anywhere"
              >
                {translatedFrom}
              </p>
            </details>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={control.id} className="text-xs text-ink-3">
            {languageName(language, 'en')}
            <span className="sr-only">: {label}</span>
          </label>
          {isMultiline ? <Textarea {...control} rows={rowsFor(original, text)} /> : <Input {...control} />}
          {problem && (
            <p id={`${id}-problem`} className="text-xs text-bad">
              {problem}
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

/** High enough for the original, so that nothing is hidden while it is translated. */
const rowsFor = (...texts: string[]): number => {
  const lines = texts.map((text) =>
    text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / 60), 0),
  );
  return Math.min(24, Math.max(2, ...lines));
};
