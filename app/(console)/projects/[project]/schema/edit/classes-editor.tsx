'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { formatCount } from '@/lib/format';
import { Cell, EditTable, IdText, Problem, RemoveButton, TextCell } from './cells';
import type { Editing } from './problem-finder';

export function ClassesEditor({ schema, saved, edit, problemAt }: Editing) {
  const isSaved = (id: string) => saved.classes.some((entry) => entry.id === id);
  return (
    <Panel
      title="Classes"
      description={formatCount(schema.classes.length, 'class', 'classes')}
      flush
      actions={
        <Button size="small" icon={<Plus aria-hidden />} onClick={() => edit({ do: 'add', list: 'classes' })}>
          Add a class
        </Button>
      }
    >
      <EditTable caption="Classes" columns={['Name', 'Id', 'Super-class', 'WordNet ids', 'Definition', '']}>
        {schema.classes.map((entry, index) => {
          const set = (fields: Partial<typeof entry>) => edit({ do: 'set', list: 'classes', index, fields });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the id follows the name while it is typed.
            <tr key={index}>
              <Cell className="w-44">
                <TextCell
                  label={`Name of class ${index + 1}`}
                  value={entry.name}
                  problem={problemAt('classes', index, 'name')}
                  onChange={(name) =>
                    isSaved(entry.id) ? set({ name }) : edit({ do: 'rename', list: 'classes', index, name })
                  }
                />
              </Cell>
              <Cell className="w-32">
                <IdText id={entry.id} problem={problemAt('classes', index, 'id')} />
              </Cell>
              <Cell className="w-36">
                <TextCell
                  label={`Super-class of ${entry.name}`}
                  value={entry.superclass ?? ''}
                  onChange={(text) => set({ superclass: text || undefined })}
                />
              </Cell>
              <Cell className="w-56">
                <TextCell
                  label={`WordNet ids of ${entry.name}`}
                  mono
                  value={entry.wnids?.join(' ') ?? ''}
                  problem={problemAt('classes', index, 'wnids')}
                  onChange={(text) => set({ wnids: text.trim() === '' ? undefined : text.split(/[\s,]+/) })}
                />
              </Cell>
              <Cell className="min-w-64">
                <TextCell
                  label={`Definition of ${entry.name}`}
                  value={entry.definition ?? ''}
                  onChange={(text) => set({ definition: text || undefined })}
                />
              </Cell>
              <Cell className="w-8 pr-3">
                <RemoveButton
                  label={`Remove class ${entry.name || index + 1}`}
                  onClick={() => edit({ do: 'remove', list: 'classes', index })}
                />
              </Cell>
            </tr>
          );
        })}
      </EditTable>
      <div className="px-4 pb-2">
        <Problem text={problemAt('classes')} />
      </div>
    </Panel>
  );
}
