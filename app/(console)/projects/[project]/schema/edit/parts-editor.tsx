'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { inOrder, type SchemaPart, shareClass } from '@/lib/core/schema';
import { EditTable, Problem } from './cells';
import { PartRow } from './part-row';
import type { Editing } from './problem-finder';

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
        <EmptyState title={className ? 'This class has no parts' : 'There are no parts'}>
          Add a part and choose the classes that have it: it is asked about every image of these.
        </EmptyState>
      ) : (
        <EditTable
          caption="Parts"
          columns={['Order', 'Colour', 'Name', 'Id', 'Classes', 'Definition', 'Examples', '']}
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
