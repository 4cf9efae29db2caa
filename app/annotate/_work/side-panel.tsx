'use client';

import { PanelRightClose, PanelRightOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '@/app/_ui/icon-button';
import { Markdown } from '@/app/_ui/markdown';
import { useKeyFor } from '../_canvas/keys';
import type { LabelStyle } from '../_canvas/paint/label-style';
import { LabelList } from '../_canvas/panel/label-list';
import { ViewControls } from '../_canvas/panel/view-controls';
import type { WorkBatch } from './api';
import { ChosenExamples } from './chosen-examples';
import type { DrawingSession } from './drawing-session';
import { ExampleStrip } from './example-strip';
import { type BatchGuide, noGuide } from './short-guide';
import { labelName } from './task-sentence';

interface SidePanelProps {
  session: DrawingSession;
  batch: WorkBatch;
  guide: BatchGuide;
  styleOf: (label: string) => LabelStyle;
  open: boolean;
  onToggle: () => void;
}

/** What is asked for, what is on the image, and how it is looked at. */
export function SidePanel({ session, batch, guide, styleOf, open, onToggle }: SidePanelProps) {
  const keyFor = useKeyFor();
  const { item, editor, frame } = session;
  const { short, written, labelled } = guide.targets[item.target?.id ?? ''] ?? noGuide.general;
  const chosen = [...written, ...guide.general.written];
  const picture = (sha256: string) => guide.pictures[sha256];
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
          <Markdown
            source={short || (item.target?.definition ?? 'Draw all of it that can be seen.')}
            topLevel={3}
            picture={picture}
            className="mt-1 gap-2 text-sm text-ink-2"
          />
        </div>
        {toggle}
      </div>
      {(chosen.length > 0 || labelled.length > 0) && (
        <Part title="Examples">
          <ChosenExamples examples={chosen} />
          {labelled.length > 0 && (
            <ExampleStrip
              name={item.target?.name ?? ''}
              colour={styleOf(item.target?.id ?? '').colour}
              examples={labelled}
            />
          )}
        </Part>
      )}
      <Part title="How to draw it">
        <Markdown
          source={guide.general.short}
          topLevel={4}
          picture={picture}
          className="gap-2 text-sm text-ink-2"
        />
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
