'use client';

import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import type { SchemaPart } from '@/lib/core/schema';
import { Cell, IdText, Problem, RemoveButton, TextCell } from './cells';
import { ClassChooser } from './class-chooser';
import { ExampleLink } from './example-link';
import type { Editing } from './problem-finder';

interface PartRowProps extends Editing {
  part: SchemaPart;
  isDragged: boolean;
  /** -1 is up: nearer to the top of the picture. */
  onMove: (step: 1 | -1) => void;
  onDrag: (id: string | undefined) => void;
  onDrop: () => void;
}

const steps: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 };

export function PartRow(props: PartRowProps) {
  const { slug, schema, saved, examples, edit, problemAt, part, isDragged, onMove, onDrag, onDrop } = props;
  const row = useRef<HTMLTableRowElement>(null);
  const index = schema.parts.indexOf(part);
  const isSaved = saved.parts.some(({ id }) => id === part.id);
  const set = (fields: Partial<SchemaPart>) => edit({ do: 'set', list: 'parts', index, fields });
  const onKey = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    onMove(step);
  };
  return (
    <tr
      ref={row}
      className={cn(isDragged && 'opacity-40')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <Cell className="w-16">
        <span className="flex items-center gap-1">
          <IconButton
            label={`Move ${part.name || part.id}: arrow up or down`}
            size="small"
            draggable
            className="cursor-grab"
            onKeyDown={onKey}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', part.id);
              if (row.current) event.dataTransfer.setDragImage(row.current, 0, 0);
              onDrag(part.id);
            }}
            onDragEnd={() => onDrag(undefined)}
          >
            <GripVertical aria-hidden />
          </IconButton>
          <span className="w-6 text-right text-xs text-ink-3 tabular-nums">{part.zOrder}</span>
        </span>
      </Cell>
      <Cell className="w-12">
        <input
          type="color"
          aria-label={`Colour of ${part.name}`}
          value={part.colour}
          onChange={(event) => set({ colour: event.target.value })}
          className="h-7 w-9 cursor-pointer rounded-md border border-line bg-raised p-0.5"
        />
      </Cell>
      <Cell className="w-44 min-w-36">
        <TextCell
          label={`Name of part ${part.id}`}
          value={part.name}
          problem={problemAt('parts', index, 'name')}
          onChange={(name) => (isSaved ? set({ name }) : edit({ do: 'rename', list: 'parts', index, name }))}
        />
      </Cell>
      <Cell className="w-36">
        <IdText id={part.id} problem={problemAt('parts', index, 'id')} />
      </Cell>
      <Cell className="w-52 max-w-52 min-w-32">
        <ClassChooser
          name={part.name || part.id}
          classes={schema.classes}
          chosen={part.classes}
          onChange={(classes) => set({ classes })}
        />
        <Problem
          text={part.classes.length === 0 ? 'no class has it' : problemAt('parts', index, 'classes')}
        />
      </Cell>
      <Cell className="min-w-64">
        <TextCell
          label={`Definition of ${part.name}`}
          value={part.definition ?? ''}
          onChange={(text) => set({ definition: text || undefined })}
        />
      </Cell>
      <Cell className="w-24">
        <ExampleLink slug={slug} id={part.id} name={part.name} place={examples.targets[part.id]} />
      </Cell>
      <Cell className="w-8 pr-3">
        <RemoveButton
          label={`Remove part ${part.name || part.id}`}
          onClick={() => edit({ do: 'remove', list: 'parts', index })}
        />
      </Cell>
    </tr>
  );
}
