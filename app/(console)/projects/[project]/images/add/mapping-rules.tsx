'use client';

import { Field, Input, Select } from '@/app/_ui/forms';
import type { Mapping } from '@/lib/core/formats/mapping';
import type { Plan } from './use-plan';

type RuleProps = { plan: Plan; mapping: Mapping; onChange: (mapping: Mapping) => void };

const FIELD = 'field:';

/** Fields for the source of the class and the split of images. */
export function MappingRules({ plan, mapping, onChange }: RuleProps) {
  const fields = plan.fields.map((field) => ({ value: `${FIELD}${field}`, label: `Field "${field}"` }));
  const { class: classRule, split } = mapping;
  const classValue = classRule.from === 'field' ? `${FIELD}${classRule.field}` : classRule.from;
  const splitValue = split.from === 'field' ? `${FIELD}${split.field}` : split.from;
  const changeClass = (value: string) =>
    onChange({
      ...mapping,
      class: value.startsWith(FIELD)
        ? { from: 'field', field: value.slice(FIELD.length) }
        : value === 'constant'
          ? { from: 'constant', name: plan.schema.classes[0]?.id ?? 'object' }
          : { from: value as 'labels' | 'folder' | 'largest-object' },
    });
  const changeSplit = (value: string) =>
    onChange({
      ...mapping,
      split: value.startsWith(FIELD)
        ? { from: 'field', field: value.slice(FIELD.length) }
        : value === 'constant'
          ? { from: 'constant', name: 'train' }
          : value === 'folder' && plan.mapping.split.from === 'folder'
            ? plan.mapping.split
            : { from: value as 'labels' | 'none' },
    });
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <Field label="Class of an image">
        {(control) => (
          <Select
            {...control}
            value={classValue}
            onChange={(event) => changeClass(event.target.value)}
            options={[
              { value: 'labels', label: 'From the label files' },
              { value: 'largest-object', label: 'Largest object' },
              { value: 'folder', label: 'Folder name' },
              { value: 'constant', label: 'One class for all' },
              ...fields,
            ]}
          />
        )}
      </Field>
      {classRule.from === 'constant' && (
        <Field label="Class of all images">
          {(control) => (
            <Input
              {...control}
              value={classRule.name}
              onChange={(event) =>
                onChange({ ...mapping, class: { from: 'constant', name: event.target.value } })
              }
            />
          )}
        </Field>
      )}
      <Field label="Split of an image">
        {(control) => (
          <Select
            {...control}
            value={splitValue}
            onChange={(event) => changeSplit(event.target.value)}
            options={[
              { value: 'labels', label: 'From files and folders' },
              ...(plan.mapping.split.from === 'folder' || split.from === 'folder'
                ? [{ value: 'folder', label: 'Folder names' }]
                : []),
              ...(split.from === 'lists' ? [{ value: 'lists', label: 'List files' }] : []),
              { value: 'constant', label: 'One split for all' },
              { value: 'none', label: 'No split' },
              ...fields,
            ]}
          />
        )}
      </Field>
      {split.from === 'constant' && (
        <Field label="Split of all images">
          {(control) => (
            <Input
              {...control}
              value={split.name}
              onChange={(event) =>
                onChange({ ...mapping, split: { from: 'constant', name: event.target.value } })
              }
            />
          )}
        </Field>
      )}
      <Field label="Schema" hint="Only a draft without images can adopt a schema.">
        {(control) => (
          <Select
            {...control}
            value={mapping.schema}
            onChange={(event) =>
              onChange({ ...mapping, schema: event.target.value === 'project' ? 'project' : 'dataset' })
            }
            options={[
              { value: 'dataset', label: 'Use the schema of the dataset' },
              { value: 'project', label: 'Keep the schema of the project' },
            ]}
          />
        )}
      </Field>
    </div>
  );
}
