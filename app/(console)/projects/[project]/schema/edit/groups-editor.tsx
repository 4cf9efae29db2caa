'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Checkbox, Input } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import type { AttributeGroup } from '@/lib/core/schema';
import { AttributeRow } from './attribute-row';
import { EditTable, Problem, RemoveButton, TextCell } from './cells';
import type { Editing } from './problem-finder';

/** Groups of attributes with their rules, and the attributes in them. */
export function GroupsEditor(props: Editing) {
  const { schema, edit, problemAt } = props;
  return (
    <Panel
      title="Attributes"
      description="In groups: how many of each may be chosen, and whether “none” is an answer."
      flush
      actions={
        <Button
          size="small"
          icon={<Plus aria-hidden />}
          onClick={() => edit({ do: 'add', list: 'attributeGroups' })}
        >
          Add a group
        </Button>
      }
    >
      {schema.attributeGroups.length === 0 && (
        <EmptyState title="Nothing is asked about the object as a whole">
          Add a group to ask people which attributes an object has, before they draw.
        </EmptyState>
      )}
      {schema.attributeGroups.map((group, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: the id follows the name while it is typed.
          key={index}
          {...props}
          group={group}
          index={index}
        />
      ))}
      <div className="px-4 pb-2">
        <Problem text={problemAt('attributes') ?? problemAt('attributeGroups')} />
      </div>
    </Panel>
  );
}

function Group({ group, index, ...props }: Editing & { group: AttributeGroup; index: number }) {
  const { schema, saved, edit, problemAt } = props;
  const isSaved = saved.attributeGroups.some(({ id }) => id === group.id);
  const set = (fields: Partial<AttributeGroup>) =>
    edit({ do: 'set', list: 'attributeGroups', index, fields });
  const number = (field: 'min' | 'max', label: string) => (
    <span className="flex items-center gap-1.5 text-xs text-ink-2">
      {label}
      <Input
        type="number"
        aria-label={`${group.name || group.id}: ${label}`}
        min={field === 'min' ? 0 : 1}
        max={200}
        value={group[field]}
        className="w-14"
        onChange={(event) => set({ [field]: event.target.valueAsNumber || 0 })}
      />
    </span>
  );
  return (
    <fieldset className="border-line not-first:border-t">
      <legend className="sr-only">Group {group.name}</legend>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 bg-sunken px-4 py-2">
        <div className="w-44">
          <TextCell
            label={`Name of group ${index + 1}`}
            value={group.name}
            problem={problemAt('attributeGroups', index, 'name')}
            onChange={(name) =>
              isSaved ? set({ name }) : edit({ do: 'rename', list: 'attributeGroups', index, name })
            }
          />
        </div>
        <code className="flex h-7 items-center font-mono text-xs text-ink-3">{group.id}</code>
        {number('min', 'at least')}
        {number('max', 'at most')}
        <Checkbox
          label="“None” excludes the others"
          checked={group.exclusiveNone}
          onChange={(event) => set({ exclusiveNone: event.target.checked })}
          className="h-7 items-center text-xs"
        />
        <span className="ml-auto flex gap-1">
          <Button
            size="small"
            icon={<Plus aria-hidden />}
            onClick={() => edit({ do: 'add', list: 'attributes', group: group.id })}
          >
            Add an attribute
          </Button>
          <RemoveButton
            label={`Remove group ${group.name || index + 1}`}
            onClick={() => edit({ do: 'remove', list: 'attributeGroups', index })}
          />
        </span>
        <span className="basis-full empty:hidden">
          {(['id', 'min', 'max', 'attributes'] as const).map((field) => (
            <Problem key={field} text={problemAt('attributeGroups', index, field)} />
          ))}
        </span>
      </div>
      {group.attributes.length > 0 && (
        <EditTable
          caption={`Attributes of ${group.name}`}
          columns={['Name', 'Id', 'Mask', 'Group', 'Definition', 'Examples', '']}
        >
          {group.attributes.map((id) => {
            const at = schema.attributes.findIndex((attribute) => attribute.id === id);
            return at < 0 ? null : <AttributeRow key={at} {...props} index={at} group={group.id} />;
          })}
        </EditTable>
      )}
    </fieldset>
  );
}
