'use client';

import { Eye, EyeOff, Focus } from 'lucide-react';
import { IconButton } from '@/app/_ui/icon-button';
import { type Editor, toggleHidden, toggleSolo } from '@/lib/annotator';
import type { LabelStyle } from '../paint/label-style';
import { useEditor } from '../use-editor';
import { Swatch } from './swatch';

interface LabelListProps {
  editor: Editor;
  nameOf: (label: string) => string;
  styleOf: (label: string) => LabelStyle;
  /** What is asked for; the others can only be looked at. */
  own: string;
}

/** The labels on the image. Hiding one is a matter of looking: it stays drawn. */
export function LabelList({ editor, nameOf, styleOf, own }: LabelListProps) {
  const layers = useEditor(editor, (state) => state.document.layers);
  const hidden = useEditor(editor, (state) => state.view.hidden);
  const solo = useEditor(editor, (state) => state.view.solo);
  return (
    <ul className="grid gap-0.5" aria-label="Labels">
      {layers.map(({ label }) => (
        <li key={label} className="flex h-8 items-center gap-2">
          <Swatch style={styleOf(label)} />
          <span className="min-w-0 flex-1 truncate">
            {nameOf(label)}
            {label !== own && <span className="ml-1.5 text-xs text-ink-3">drawn before</span>}
          </span>
          <IconButton
            label={`Show only ${nameOf(label)}`}
            aria-pressed={solo === label}
            size="small"
            className={solo === label ? 'text-accent' : undefined}
            onClick={() => editor.dispatch({ type: 'view', view: toggleSolo(editor.state.view, label) })}
          >
            <Focus aria-hidden />
          </IconButton>
          <IconButton
            label={`Hide ${nameOf(label)}`}
            aria-pressed={hidden.has(label)}
            size="small"
            onClick={() => editor.dispatch({ type: 'view', view: toggleHidden(editor.state.view, label) })}
          >
            {hidden.has(label) ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
