'use client';

import { Eye, EyeOff, Focus, Lock, LockOpen } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { IconButton } from '@/app/_ui/icon-button';
import { type Editor, toggleHidden, toggleLocked, toggleSolo, type ViewState } from '@/lib/core/editor';
import { useKeyFor } from '../keys';
import type { LabelStyle } from '../paint/label-style';
import { useEditor } from '../use-editor';
import { Swatch } from './swatch';

interface LabelListProps {
  editor: Editor;
  nameOf: (label: string) => string;
  styleOf: (label: string) => LabelStyle;
}

/** The labels on the image. Hiding a label changes only the view. */
export function LabelList({ editor, nameOf, styleOf }: LabelListProps) {
  const current = useEditor(editor, (state) => state.label);
  const targets = useEditor(editor, (state) => state.targets);
  const layers = useEditor(editor, (state) => state.document.layers);
  const hidden = useEditor(editor, (state) => state.view.hidden);
  const locked = useEditor(editor, (state) => state.view.locked);
  const solo = useEditor(editor, (state) => state.view.solo);
  const t = useTranslations('canvas.labels');
  const keyFor = useKeyFor();
  const look = (change: (view: ViewState, label: string) => ViewState, label: string) =>
    editor.dispatch({ type: 'view', view: change(editor.state.view, label) });
  return (
    <ul className="grid gap-0.5" aria-label={t('title')}>
      {layers.map(({ label }) => (
        <li key={label} className="flex h-8 items-center gap-2">
          <Swatch style={styleOf(label)} />
          <span className="min-w-0 flex-1 truncate">
            <bdi>{nameOf(label)}</bdi>
            {targets?.includes(label) === false && (
              <span className="ms-1.5 text-xs text-ink-3">{t('drawnBefore')}</span>
            )}
          </span>
          <IconButton
            label={t('showOnly', { label: nameOf(label) })}
            aria-pressed={solo === label}
            size="small"
            className={solo === label ? 'text-accent' : undefined}
            shortcut={label === current ? keyFor('solo-label') : undefined}
            onClick={() => look(toggleSolo, label)}
          >
            <Focus aria-hidden />
          </IconButton>
          <IconButton
            label={t('hide', { label: nameOf(label) })}
            aria-pressed={hidden.has(label)}
            size="small"
            shortcut={label === current ? keyFor('hide-label') : undefined}
            onClick={() => look(toggleHidden, label)}
          >
            {hidden.has(label) ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </IconButton>
          <IconButton
            label={t('lock', { label: nameOf(label) })}
            aria-pressed={locked.has(label)}
            size="small"
            // Only the current label can be changed, so only it can be locked.
            disabled={label !== current}
            shortcut={label === current ? keyFor('lock-label') : undefined}
            className={label === current && locked.has(label) ? 'text-accent' : undefined}
            onClick={() => look(toggleLocked, label)}
          >
            {locked.has(label) ? <Lock aria-hidden /> : <LockOpen aria-hidden />}
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
