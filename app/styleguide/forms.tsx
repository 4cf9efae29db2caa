'use client';

import { CopyField } from '@/app/_ui/copy-field';
import { FileDrop } from '@/app/_ui/file-drop';
import { Checkbox, Field, FormError, Input, RadioGroup, Select, Switch, Textarea } from '@/app/_ui/forms';
import { Panel, Section } from '@/app/_ui/panel';
import { toast } from '@/app/_ui/toasts';

const roles = [
  { value: 'curator', label: 'Curator' },
  { value: 'researcher', label: 'Researcher' },
  { value: 'worker', label: 'Worker' },
];

export function Forms() {
  return (
    <Section title="Forms">
      <div className="grid gap-4 xl:grid-cols-2">
        <Panel title="Fields">
          <div className="flex max-w-md flex-col gap-4">
            <FormError>The project was not created: the name is taken. Choose another one.</FormError>
            <Field label="Name" hint="Shown to workers.">
              {(control) => <Input {...control} placeholder="Birds of the coast" />}
            </Field>
            <Field label="Short name" error="Use lower-case letters, digits and hyphens: birds-coast.">
              {(control) => <Input {...control} defaultValue="Birds Coast" />}
            </Field>
            <Field label="Images per batch">
              {(control) => <Input {...control} type="number" defaultValue={20} className="w-24" />}
            </Field>
            <Field label="Role">{(control) => <Select {...control} options={roles} />}</Field>
            <Field label="Instructions" optional>
              {(control) => <Textarea {...control} placeholder="What counts as a wing?" />}
            </Field>
            <Field label="Closed">
              {(control) => <Input {...control} disabled value="cannot be changed" />}
            </Field>
          </div>
        </Panel>
        <div className="flex flex-col gap-4">
          <Panel title="Choices">
            <div className="grid gap-6 sm:grid-cols-2">
              <div className="flex flex-col gap-1">
                <Checkbox label="wings" defaultChecked />
                <Checkbox label="tail" hint="Also when only its root shows." />
                <Checkbox label="horns" disabled />
                <Checkbox label="mane" disabled defaultChecked />
                <Switch label="Accept new workers" defaultChecked className="mt-3" />
                <Switch label="Pause on failed checks" />
                <Switch label="Not available" disabled />
              </div>
              <RadioGroup
                name="consensus"
                legend="Consensus"
                defaultValue="staple"
                options={[
                  { value: 'majority', label: 'Majority' },
                  { value: 'staple', label: 'STAPLE', hint: 'Weighs workers by how well they agree.' },
                  { value: 'none', label: 'One answer', disabled: true },
                ]}
              />
            </div>
          </Panel>
          <Panel title="A secret, shown once">
            <CopyField
              once
              label="API key"
              value="tsk_4f7c1b0e9d2a83c65b1e_9f86d081884c7d659a2feaa0c55ad015"
            />
          </Panel>
          <FileDrop
            accepts="JPEG, PNG, WebP, TIFF or a zip of them"
            onFiles={(files) => toast(`${files.length} files: ${files[0]?.path ?? ''} …`)}
          />
        </div>
        <Panel title="Rows, for settings" className="xl:col-span-2">
          <div className="divide-y divide-line">
            <Field row label="Hidden checks" hint="Share of each batch, in percent.">
              {(control) => <Input {...control} type="number" defaultValue={5} className="w-24" />}
            </Field>
            <Field row label="Exam bar" error="A mean IoU lies between 0 and 1.">
              {(control) => <Input {...control} type="number" defaultValue={70} className="w-24" />}
            </Field>
          </div>
        </Panel>
      </div>
    </Section>
  );
}
