'use client';

import { Play } from 'lucide-react';
import { useActionState, useState } from 'react';
import { ActionForm, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SubmitButton } from '@/app/_ui/submit-button';
import { start } from './actions';
import { CompanionFields, type Companions } from './companion-fields';
import { PlanPanel } from './plan-panel';
import { usePlan } from './use-plan';

interface Choice {
  value: string;
  label: string;
}

interface Props extends Companions {
  slug: string;
  models: Choice[];
  model: string;
  versions: Choice[];
  suites: { id: string; name: string; says: string }[];
}

export function EvaluationForm({ slug, models, model, versions, suites, judges, decoders, crowd }: Props) {
  const [state, action] = useActionState(start.bind(null, slug), {});
  const { holder, changed, ...planned } = usePlan(slug);
  const [suite, setSuite] = useState('all');
  const left = planned.plan?.left ?? [];
  // Only the pictures as they are would be shown to the model.
  const isNothing = left.length > 0 && planned.plan?.suites.every(({ id }) => id === 'clean');
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Panel title="What is asked of whom">
        <div ref={holder} onChange={changed}>
          <ActionForm action={action} className="grid max-w-2xl gap-4">
            <Field label="Model">
              {(control) => <Select {...control} name="model" options={models} defaultValue={model} />}
            </Field>
            <Field label="Version">
              {(control) => <Select {...control} name="version" options={versions} />}
            </Field>
            <Field
              label="Suite"
              hint={
                suites.find(({ id }) => id === suite)?.says ??
                `${suites.length} suites, one after the other. Choose one to read what it asks; what each costs stands beside.`
              }
            >
              {(control) => (
                <Select
                  {...control}
                  name="suite"
                  onChange={({ target }) => setSuite(target.value)}
                  options={[
                    { value: 'all', label: 'All of them' },
                    ...suites.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
              )}
            </Field>
            <Field
              label="How thorough"
              hint="Quick takes minutes for 500 small images, the papers’ levels and trials many hours."
            >
              {(control) => (
                <Select
                  {...control}
                  name="preset"
                  options={[
                    { value: 'quick', label: 'Quick' },
                    { value: 'paper', label: 'Levels and trials of the papers' },
                  ]}
                />
              )}
            </Field>
            <div className="grid gap-4 sm:grid-cols-3">
              <Field label="Split" hint="Or all, for every image.">
                {(control) => <Input {...control} name="split" defaultValue="test" maxLength={40} />}
              </Field>
              <Field label="Images at most" hint="The same share of each class.">
                {(control) => (
                  <Input {...control} name="images" type="number" min={1} max={100000} defaultValue={500} />
                )}
              </Field>
              <Field label="Seed" hint="Where chance begins.">
                {(control) => <Input {...control} name="seed" type="number" min={0} defaultValue={0} />}
              </Field>
            </div>
            <CompanionFields judges={judges} decoders={decoders} crowd={crowd} />
            <FormError>{state.error}</FormError>
            {isNothing && (
              <FormError>{`Nothing of this suite can be measured like this. ${left.map(({ why }) => why).join(' ')}`}</FormError>
            )}
            <div>
              <SubmitButton icon={<Play aria-hidden />} disabled={isNothing}>
                Evaluate
              </SubmitButton>
            </div>
          </ActionForm>
        </div>
      </Panel>
      <PlanPanel {...planned} />
    </div>
  );
}
