'use client';

import { PanelRightClose, PanelRightOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '@/app/_ui/icon-button';
import { useKeyFor } from '../_canvas/keys';
import type { LabelStyle } from '../_canvas/paint/label-style';
import { LabelList } from '../_canvas/panel/label-list';
import { ViewControls } from '../_canvas/panel/view-controls';
import type { WorkBatch } from './api';
import type { Examples } from './batch-examples';
import type { DrawingSession } from './drawing-session';
import { ExampleStrip } from './example-strip';
import { labelName } from './task-sentence';

interface SidePanelProps {
  session: DrawingSession;
  batch: WorkBatch;
  examples: Examples;
  styleOf: (label: string) => LabelStyle;
  open: boolean;
  onToggle: () => void;
}

/** What is asked for, what is on the image, and how it is looked at. */
export function SidePanel({ session, batch, examples, styleOf, open, onToggle }: SidePanelProps) {
  const keyFor = useKeyFor();
  const { item, editor, frame } = session;
  const shown = examples[item.target?.id ?? ''] ?? [];
  const toggle = (
    <IconButton
      label={open ? 'Hide the instructions' : 'Show the instructions'}
      shortcut={keyFor('instructions')}
      side="left"
      aria-expanded={open}
      onClick={onToggle}
    >
      {open ? <PanelRightClose aria-hidden /> : <PanelRightOpen aria-hidden />}
    </IconButton>
  );
  if (!open) return <aside className="w-10 shrink-0 border-l border-line bg-surface p-1.5">{toggle}</aside>;
  return (
    <aside
      aria-label="Instructions and view"
      className="flex w-72 shrink-0 flex-col overflow-y-auto border-l border-line bg-surface"
    >
      <div className="flex items-start gap-2 border-b border-line p-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{item.target?.name ?? 'Object'}</h2>
          <p className="mt-1 text-ink-2">{item.target?.definition ?? 'Draw all of it that can be seen.'}</p>
        </div>
        {toggle}
      </div>
      {shown.length > 0 && (
        <Part title="Examples">
          <ExampleStrip
            name={item.target?.name ?? ''}
            colour={styleOf(item.target?.id ?? '').colour}
            examples={shown}
          />
        </Part>
      )}
      <Part title="How to draw it">
        <ul className="list-disc pl-4 text-ink-2">
          <li>Follow the visible border; leave out what covers it.</li>
          <li>Cut holes where the background shows through.</li>
          <li>Several pieces are fine: they count as one.</li>
          <li>If there is none in the picture, choose “Nothing to label”.</li>
        </ul>
        <a
          href={`/annotate/${batch.project.slug}/guide`}
          target="_blank"
          rel="noreferrer"
          className="mt-2 inline-block text-accent underline"
        >
          All instructions
        </a>
      </Part>
      <Part title="On the image">
        <LabelList
          editor={editor}
          own={frame.labels[0] ?? ''}
          nameOf={(label) => labelName(batch, item, label)}
          styleOf={styleOf}
        />
      </Part>
      <Part title="View">
        <ViewControls editor={editor} />
      </Part>
    </aside>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line p-3 last:border-b-0">
      <h3 className="mb-2 text-xs font-medium text-ink-3">{title}</h3>
      {children}
    </section>
  );
}
