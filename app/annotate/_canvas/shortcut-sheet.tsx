'use client';

import { useTranslations } from 'next-intl';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { FormError } from '@/app/_ui/forms';
import { Kbd } from '@/app/_ui/kbd';
import {
  type ActionId,
  keyName,
  remap,
  resetKeys,
  type ShortcutScope,
  shortcutSections,
  shortcuts,
  shortcutText,
} from '@/lib/core/editor';
import { useEditorText } from './editor-text';
import { pressOf } from './key-input';
import { platform, useKeys } from './keys';

interface ShortcutSheetProps {
  /** Which scopes are on this page. */
  scopes: readonly ShortcutScope[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** The `?` sheet, from the registry of shortcuts; a key is changed by choosing it and pressing another. */
export function ShortcutSheet({ scopes, open, onOpenChange }: ShortcutSheetProps) {
  const { choices, choose } = useKeys();
  const t = useTranslations('canvas');
  const text = useEditorText();
  const [changing, setChanging] = useState<ActionId>();
  const [problem, setProblem] = useState<string>();
  const sections = shortcutSections(choices, platform()).filter(({ scope }) => scopes.includes(scope));

  const onKey = (event: KeyboardEvent) => {
    if (changing === undefined || MODIFIERS.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setChanging(undefined);
    const key = keyName(pressOf(event.nativeEvent));
    const changed = remap(choices, changing, [key]);
    if (changed.ok) choose(changed.choices);
    if (changed.ok) return setProblem(undefined);
    const holder = holderOf(changed.collisions, changing);
    setProblem(
      holder
        ? t('sheet.taken', { key, action: text(shortcutText(holder)) })
        : t('sheet.notPossible', { key }),
    );
  };
  const reset = () => {
    const changed = resetKeys(choices);
    if (changed.ok) choose(changed.choices);
    setProblem(undefined);
  };
  return (
    <Dialog
      title={t('sheet.title')}
      description={t('sheet.text')}
      open={open}
      onOpenChange={onOpenChange}
      className="max-w-5xl"
    >
      <FormError>{problem}</FormError>
      <div onKeyDownCapture={onKey} className="columns-1 gap-8 sm:columns-2 lg:columns-3">
        {sections.map(({ scope, rows }) => (
          <section key={scope} className="mb-6">
            <h3 className="mb-2 font-semibold">{t(`scopes.${scope}`)}</h3>
            <dl className="grid">
              {rows
                .map((row) => ({ ...row, action: text(row.text) }))
                .map(({ id, keys, action, isHeld }) => (
                  <div
                    key={id}
                    className="flex min-h-6 break-inside-avoid items-center justify-between gap-4 text-sm"
                  >
                    <dt className="text-ink-2">{isHeld ? t('sheet.hold', { action }) : action}</dt>
                    <dd>
                      <button
                        type="button"
                        className="flex min-h-6 items-center gap-1.5 rounded-sm px-1 hover:bg-hover"
                        onClick={() => setChanging(id)}
                      >
                        <span className="sr-only">{t('sheet.change', { action })} </span>
                        {changing === id ? t('sheet.press') : keys.map((key) => <Kbd key={key} keys={key} />)}
                      </button>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <DialogFooter>
        <Button onClick={reset}>{t('sheet.usual')}</Button>
      </DialogFooter>
    </Dialog>
  );
}

/** The other action that has the key. */
function holderOf(
  taken: readonly { first: string; second: string }[],
  wanted: ActionId,
): ActionId | undefined {
  const other = taken.flatMap(({ first, second }) => [first, second]).find((id) => id !== wanted);
  return shortcuts.find(({ id }) => id === other)?.id;
}
