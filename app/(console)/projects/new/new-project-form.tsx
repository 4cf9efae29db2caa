'use client';

import { useActionState } from 'react';
import { Input, RadioGroup, Textarea } from '@/app/_ui/forms/controls';
import { Field, FormError } from '@/app/_ui/forms/field';
import { SubmitButton } from '@/app/_ui/submit-button';
import { formatCount } from '@/lib/core/format';
import { create } from './create';
import { FROM_DATASET } from './from-dataset';

type Preset = {
  id: string;
  name: string;
  description: string;
  classes: number;
  attributes: number;
  parts: number;
};

const sizeOf = ({ classes, attributes, parts }: Preset) =>
  [
    formatCount(classes, 'class', 'classes'),
    attributes ? formatCount(attributes, 'attribute') : '',
    parts ? formatCount(parts, 'part') : '',
  ]
    .filter(Boolean)
    .join(', ');

export function NewProjectForm({ presets }: { presets: Preset[] }) {
  const [state, action] = useActionState(create, {});
  return (
    <form action={action} className="flex flex-col gap-5">
      <Field label="Name" error={state.fields?.name}>
        {(control) => <Input {...control} name="name" required maxLength={120} autoFocus />}
      </Field>
      <Field label="Description" optional error={state.fields?.description}>
        {(control) => <Textarea {...control} name="description" rows={3} maxLength={2000} />}
      </Field>
      <RadioGroup
        name="preset"
        legend="Schema"
        defaultValue={presets[0]?.id}
        options={[
          ...presets.map((preset) => ({
            value: preset.id,
            label: preset.name,
            hint: `${preset.description} (${sizeOf(preset)})`,
          })),
          {
            value: FROM_DATASET,
            label: 'From a dataset',
            hint: 'Upload a labelled dataset next. Its categories become the schema, and you check them first.',
          },
        ]}
      />
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton>Create project</SubmitButton>
      </div>
    </form>
  );
}
