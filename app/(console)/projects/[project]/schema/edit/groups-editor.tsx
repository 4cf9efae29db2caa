'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Checkbox, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { type AttributeGroup, AttributeKind, type SchemaAttribute } from '@/lib/core/schema';
import { Cell, type Editing, EditTable, ExampleLink, IdText, Problem, RemoveButton, TextCell } from './cells';

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

const kinds: Record<AttributeKind, string> = {
  localised: 'drawn on its own',
  'whole-object': 'the whole object',
  'label-only': 'no mask',
};

function AttributeRow({
  slug,
  examples,
  schema,
  saved,
  edit,
  problemAt,
  index,
  group,
}: Editing & { index: number; group: string }) {
  const attribute = schema.attributes[index] as SchemaAttribute;
  const isSaved = saved.attributes.some(({ id }) => id === attribute.id);
  const set = (fields: Partial<SchemaAttribute>) => edit({ do: 'set', list: 'attributes', index, fields });
  return (
    <tr>
      <Cell className="w-44 min-w-36">
        <TextCell
          label={`Name of attribute ${attribute.id}`}
          value={attribute.name}
          problem={problemAt('attributes', index, 'name')}
          onChange={(name) =>
            isSaved ? set({ name }) : edit({ do: 'rename', list: 'attributes', index, name })
          }
        />
      </Cell>
      <Cell className="w-32">
        <IdText id={attribute.id} problem={problemAt('attributes', index, 'id')} />
      </Cell>
      <Cell className="w-40">
        <Select
          aria-label={`Mask of ${attribute.name}`}
          value={attribute.kind}
          options={AttributeKind.options.map((value) => ({ value, label: kinds[value] }))}
          onChange={(event) => set({ kind: AttributeKind.parse(event.target.value) })}
        />
      </Cell>
      <Cell className="w-36">
        <Select
          aria-label={`Group of ${attribute.name}`}
          value={group}
          options={schema.attributeGroups.map(({ id, name }) => ({ value: id, label: name || id }))}
          onChange={(event) => edit({ do: 'move-attribute', id: attribute.id, group: event.target.value })}
        />
      </Cell>
      <Cell className="min-w-64">
        <TextCell
          label={`Definition of ${attribute.name}`}
          value={attribute.definition}
          problem={problemAt('attributes', index, 'definition')}
          onChange={(definition) => set({ definition })}
        />
      </Cell>
      <Cell className="w-24">
        <ExampleLink
          slug={slug}
          id={attribute.id}
          name={attribute.name}
          place={examples.targets[attribute.id]}
        />
      </Cell>
      <Cell className="w-8 pr-3">
        <RemoveButton
          label={`Remove attribute ${attribute.name || attribute.id}`}
          onClick={() => edit({ do: 'remove', list: 'attributes', index })}
        />
      </Cell>
    </tr>
  );
}
