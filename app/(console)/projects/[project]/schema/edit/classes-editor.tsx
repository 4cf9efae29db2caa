'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/app/_ui/button';
import { Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { formatCount } from '@/lib/core/format';
import { Cell, type Editing, EditTable, ExampleLink, IdText, Problem, RemoveButton, TextCell } from './cells';

export function ClassesEditor({ slug, schema, saved, examples, edit, problemAt }: Editing) {
  /** Only a stage that asks for the class explains classes one by one. */
  const isAsked = Object.keys(examples.classes).length > 0;
  const isSaved = (id: string) => saved.classes.some((entry) => entry.id === id);
  return (
    <Panel
      title="Classes"
      description={
        <>
          {formatCount(schema.classes.length, 'class', 'classes')}.{' '}
          {!isAsked && (
            <>
              Workers do not choose the class. Example pictures of classes belong in the{' '}
              <Link href={`/projects/${slug}/crowd/guide`} className="text-accent underline">
                guide of a stage
              </Link>
              .
            </>
          )}
        </>
      }
      flush
      actions={
        <Button size="small" icon={<Plus aria-hidden />} onClick={() => edit({ do: 'add', list: 'classes' })}>
          Add a class
        </Button>
      }
    >
      <EditTable
        caption="Classes"
        columns={[
          'Name',
          'Id',
          'Kind',
          'Super-class',
          'WordNet ids',
          'Definition',
          ...(isAsked ? ['Examples'] : []),
          '',
        ]}
      >
        {schema.classes.map((entry, index) => {
          const set = (fields: Partial<typeof entry>) => edit({ do: 'set', list: 'classes', index, fields });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the id follows the name while it is typed.
            <tr key={index}>
              <Cell className="w-44 min-w-36">
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
              <Cell className="w-40">
                <Select
                  aria-label={`Kind of ${entry.name || entry.id}`}
                  className="w-full min-w-32"
                  value={entry.kind === 'stuff' ? 'stuff' : entry.numbered ? 'things' : 'thing'}
                  options={[
                    { value: 'thing', label: 'One object' },
                    { value: 'things', label: 'Several objects' },
                    { value: 'stuff', label: 'Stuff' },
                  ]}
                  onChange={({ target: { value } }) =>
                    set({
                      kind: value === 'stuff' ? 'stuff' : undefined,
                      numbered: value === 'things' || undefined,
                    })
                  }
                />
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
              {isAsked && (
                <Cell className="w-24">
                  <ExampleLink
                    slug={slug}
                    id={entry.id}
                    name={entry.name}
                    place={examples.classes[entry.id]}
                  />
                </Cell>
              )}
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
