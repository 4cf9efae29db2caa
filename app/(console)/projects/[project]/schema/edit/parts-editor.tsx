'use client';

import { GripVertical, Plus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Checkbox, Select } from '@/app/_ui/forms';
import { IconButton } from '@/app/_ui/icon-button';
import { Panel } from '@/app/_ui/panel';
import { Popover } from '@/app/_ui/popover';
import { inOrder, type SchemaClass, type SchemaPart, shareClass } from '@/lib/core/schema';
import { Cell, type Editing, EditTable, ExampleLink, IdText, Problem, RemoveButton, TextCell } from './cells';

/** Parts in the order in which they are painted: the one on top of the list lies on top of the picture. */
export function PartsEditor(props: Editing) {
  const { schema, edit, problemAt } = props;
  const [className, setClassName] = useState('');
  const [dragged, setDragged] = useState<string>();
  const [said, setSaid] = useState('');
  const top = inOrder(schema.parts).reverse();
  const shown = top.filter((part) => className === '' || part.classes.includes(className));

  /** Past the next part that can lie on the same object: the order of others means nothing. */
  const move = (part: SchemaPart, step: 1 | -1) => {
    const place = shown.indexOf(part);
    const onWay = step === 1 ? shown.slice(place + 1) : shown.slice(0, place).reverse();
    const neighbour = onWay.find((other) => shareClass(other, part));
    if (!neighbour) return;
    putAt(part.id, neighbour.id, step === 1);
    setSaid(`${part.name} is now ${step === -1 ? 'above' : 'below'} ${neighbour.name}.`);
  };
  const putAt = (id: string, at: string, isBelow: boolean) => {
    const lowest = inOrder(schema.parts).filter((part) => part.id !== id);
    const place = lowest.findIndex((part) => part.id === at);
    const before = isBelow ? at : (lowest[place + 1]?.id ?? null);
    edit({ do: 'move-part', id, before });
  };
  const drop = (at: SchemaPart) => {
    if (dragged === undefined || dragged === at.id) return;
    const from = shown.findIndex((part) => part.id === dragged);
    putAt(dragged, at.id, from < shown.indexOf(at));
    setDragged(undefined);
  };
  return (
    <Panel
      title="Parts"
      description="Of parts of one object the first in the list lies on top. Drag by the handle, or use the arrow keys on it."
      flush
      actions={
        <>
          <Select
            aria-label="Class of the parts"
            className="w-40"
            value={className}
            options={[
              { value: '', label: 'All classes' },
              ...schema.classes.map(({ id, name }) => ({ value: id, label: name || id })),
            ]}
            onChange={(event) => setClassName(event.target.value)}
          />
          <Button size="small" icon={<Plus aria-hidden />} onClick={() => edit({ do: 'add', list: 'parts' })}>
            Add a part
          </Button>
        </>
      }
    >
      {shown.length === 0 ? (
        <EmptyState title={className ? 'This class has no parts' : 'No parts yet'}>
          Add a part and choose the classes that have it: it is asked about every image of these.
        </EmptyState>
      ) : (
        <EditTable
          caption="Parts"
          columns={[
            'Order',
            'Colour',
            'Name',
            'Id',
            'Classes',
            'Several per object',
            'Part of',
            'Definition',
            'Examples',
            '',
          ]}
        >
          {shown.map((part) => (
            <PartRow
              key={schema.parts.indexOf(part)}
              {...props}
              part={part}
              isDragged={dragged === part.id}
              onMove={(step) => move(part, step)}
              onDrag={setDragged}
              onDrop={() => drop(part)}
            />
          ))}
        </EditTable>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="px-4 pb-2">
        <Problem text={problemAt('parts')} />
      </div>
    </Panel>
  );
}

interface PartRowProps extends Editing {
  part: SchemaPart;
  isDragged: boolean;
  /** -1 is up: nearer to the top of the picture. */
  onMove: (step: 1 | -1) => void;
  onDrag: (id: string | undefined) => void;
  onDrop: () => void;
}

const steps: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 };

function PartRow(props: PartRowProps) {
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
      <Cell className="w-28">
        <span className="flex h-7 items-center">
          <Checkbox
            label={<span className="sr-only">{`Several ${part.name || part.id} per object`}</span>}
            checked={part.numbered ?? false}
            onChange={(event) => set({ numbered: event.target.checked || undefined })}
          />
        </span>
      </Cell>
      <Cell className="w-40 min-w-36">
        <Select
          aria-label={`What ${part.name || part.id} is a part of`}
          className="w-full"
          value={part.parent ?? ''}
          options={[
            { value: '', label: 'The object' },
            ...schema.parts
              .filter((other) => other.id === part.parent || canBeParent(other, part))
              .map(({ id, name }) => ({ value: id, label: name || id })),
          ]}
          onChange={(event) => set({ parent: event.target.value || undefined })}
        />
        <Problem text={problemAt('parts', index, 'parent')} />
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

/** A sub-part is one level deep, and its parent has all of its classes. */
const canBeParent = (parent: SchemaPart, part: SchemaPart): boolean =>
  parent.id !== part.id &&
  parent.parent === undefined &&
  part.classes.every((id) => parent.classes.includes(id));

interface ClassChooserProps {
  name: string;
  classes: SchemaClass[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Which classes have a part. */
function ClassChooser({ name, classes, chosen, onChange }: ClassChooserProps) {
  const words = classes.filter(({ id }) => chosen.includes(id)).map((entry) => entry.name || entry.id);
  const toggle = (id: string, isChosen: boolean) =>
    onChange(
      classes.map((entry) => entry.id).filter((each) => (each === id ? isChosen : chosen.includes(each))),
    );
  return (
    <Popover
      label={`Classes that have ${name}`}
      className="max-h-72 overflow-y-auto"
      trigger={
        <Button
          className="w-full min-w-0 shrink justify-start font-normal"
          title={words.join(', ')}
          aria-label={`Classes of ${name}`}
        >
          <span className="truncate">{words.join(', ') || 'Choose classes'}</span>
        </Button>
      }
    >
      <div className="flex flex-col gap-1">
        {classes.map((entry) => (
          <Checkbox
            key={entry.id}
            label={entry.name || entry.id}
            checked={chosen.includes(entry.id)}
            onChange={(event) => toggle(entry.id, event.target.checked)}
          />
        ))}
      </div>
    </Popover>
  );
}
