'use client';

import { PanelRightClose, PanelRightOpen } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Direction } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import { Markdown } from '@/app/_ui/markdown';
import type { BatchState } from '@/lib/core/editor';
import { readTarget } from '@/lib/core/schema';
import { useKeyFor } from '../_canvas/keys';
import type { LabelStyle } from '../_canvas/paint/label-style';
import { LabelList } from '../_canvas/panel/label-list';
import { ViewControls } from '../_canvas/panel/view-controls';
import type { WorkBatch, WorkItem } from './api';
import { ChosenExamples } from './chosen-examples';
import type { DrawingSession } from './drawing-session';
import { ExampleStrip } from './example-strip';
import { type BatchGuide, noGuide } from './short-guide';
import { TargetList } from './target-list';
import { labelName } from './task-sentence';
import { TextsNote } from './texts-note';

interface SidePanelProps {
  drawing: DrawingSession;
  /** The target that is being drawn. */
  item: WorkItem;
  batch: WorkBatch;
  work: BatchState;
  guide: BatchGuide;
  styleOf: (label: string) => LabelStyle;
  isOpen: boolean;
  /** Covers the lower part of the work instead of standing beside it. */
  isSheet: boolean;
  onToggle: () => void;
}

/** What is asked for, what is on the image, and how it is looked at. */
export function SidePanel(props: SidePanelProps) {
  const { drawing, item, batch, work, guide, styleOf, isOpen, isSheet, onToggle } = props;
  const t = useTranslations('work.panel');
  const { editor, targets } = drawing;
  const { short, language, written, labelled } =
    guide.targets[readTarget(item.target?.id ?? '').id] ?? noGuide.general;
  const chosen = [...written, ...guide.general.written];
  const picture = (sha256: string) => guide.pictures[sha256];
  const toggle = <PanelButton isOpen={isOpen} onToggle={onToggle} />;
  if (!isOpen && isSheet) return null;
  if (!isOpen) return <aside className="w-10 shrink-0 border-s border-line bg-surface p-1.5">{toggle}</aside>;
  return (
    <aside
      aria-label={t('title')}
      onKeyDown={(event) => {
        if (isSheet && event.key === 'Escape' && !event.defaultPrevented) onToggle();
      }}
      className={cn(
        'flex flex-col overflow-y-auto bg-surface',
        isSheet
          ? 'absolute inset-x-0 bottom-0 z-30 max-h-[85%] rounded-t-xl border-t border-line shadow-overlay'
          : 'w-72 shrink-0 border-s border-line',
      )}
    >
      <div className="flex items-start gap-2 border-b border-line p-3">
        <div dir="auto" className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{item.target?.name ?? t('object')}</h2>
          <Markdown
            source={short || (item.target?.definition ?? t('drawAll'))}
            topLevel={3}
            lang={language}
            picture={picture}
            className="mt-1 gap-2 text-sm text-ink-2"
          />
          <TextsNote batch={batch} guide={guide} />
        </div>
        {toggle}
      </div>
      {targets.length > 1 && !isSheet && (
        <Part title={t('targets')}>
          <TargetList editor={editor} work={work} targets={targets} styleOf={styleOf} />
        </Part>
      )}
      {(chosen.length > 0 || labelled.length > 0) && (
        <Part title={t('examples')}>
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
      <Part title={t('how')}>
        <Markdown
          source={guide.general.short}
          lang={guide.general.language}
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
          {t('allInstructions')}
        </a>
      </Part>
      <Part title={t('onImage')}>
        <LabelList editor={editor} nameOf={(label) => labelName(batch, item, label)} styleOf={styleOf} />
      </Part>
      <Part title={t('view')}>
        <ViewControls editor={editor} />
      </Part>
    </aside>
  );
}

/** Opens and closes the panel. */
export function PanelButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useTranslations('work.panel');
  const direction = Direction.useDirection();
  const keyFor = useKeyFor();
  return (
    <IconButton
      label={isOpen ? t('hide') : t('show')}
      shortcut={keyFor('instructions')}
      side={direction === 'rtl' ? 'right' : 'left'}
      aria-expanded={isOpen}
      className="max-wide:size-11"
      onClick={onToggle}
    >
      {isOpen ? (
        <PanelRightClose aria-hidden className="rtl:-scale-x-100" />
      ) : (
        <PanelRightOpen aria-hidden className="rtl:-scale-x-100" />
      )}
    </IconButton>
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
