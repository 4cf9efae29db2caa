'use client';

import { Select } from '@/app/_ui/forms';
import { AttributeKind, type SchemaAttribute } from '@/lib/core/schema';
import { Cell, IdText, RemoveButton, TextCell } from './cells';
import { ExampleLink } from './example-link';
import type { Editing } from './problem-finder';

const kinds: Record<AttributeKind, string> = {
  localised: 'drawn on its own',
  'whole-object': 'the whole object',
  'label-only': 'no mask',
};

export function AttributeRow({
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
