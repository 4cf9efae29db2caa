'use client';

import { Play } from 'lucide-react';
import { useActionState, useCallback, useEffect, useRef, useState, useTransition } from 'react';
import { ActionForm, Checkbox, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SubmitButton } from '@/app/_ui/submit-button';
import { type Planned, planOf, start } from './actions';
import { OracleStageDialog } from './oracle-stage-dialog';
import { PlanPanel } from './plan-panel';

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

interface Companions {
  /** Models that can say what is to be seen in a picture: classifiers, and encoders with words. */
  judges: { value: string; label: string; kind: string }[];
  /** Decoders, by which pictures can be driven away. */
  decoders: { value: string; label: string }[];
  /** Stages in which people can be asked; null where the person may not spend money. */
  crowd: { stages: { value: string; label: string }[]; slug: string; currency: string } | null;
}

/** Who judges perturbed pictures, and what perturbs them: both only for FMR. */
function CompanionFields({ judges, decoders, crowd }: Companions) {
  return (
    <>
      {judges.length > 1 && <JudgeFields judges={judges} />}
      {crowd && (
        <div className="grid gap-2">
          {crowd.stages.length > 0 && (
            <Field
              label="People as oracle"
              hint="Only in the suite “As far as an oracle follows”, and not beside models. The evaluation waits until they have answered."
            >
              {(control) => (
                <Select
                  {...control}
                  name="crowd"
                  options={[{ value: '', label: 'Nobody is asked' }, ...crowd.stages]}
                />
              )}
            </Field>
          )}
          <div>
            <OracleStageDialog slug={crowd.slug} currency={crowd.currency} />
          </div>
        </div>
      )}
      <Field label="Generator" hint="What drives pictures away from the model in FMR.">
        {(control) => (
          <Select
            {...control}
            name="generator"
            options={[
              { value: 'search', label: 'Small changes of colour, sharpness and place' },
              { value: 'squares', label: 'Squares that are made lighter or darker' },
              ...decoders.map(({ value, label }) => ({ value, label: `Decoder: ${label}` })),
            ]}
          />
        )}
      </Field>
    </>
  );
}

const JudgeFields = ({ judges }: Pick<Companions, 'judges'>) => (
  <fieldset className="grid gap-1">
    <legend className="mb-1 text-xs font-medium text-ink-2">
      Oracle<span className="ml-1 font-normal text-ink-3">optional</span>
    </legend>
    <div className="grid max-h-48 gap-1 overflow-y-auto rounded-sm border border-line p-2 sm:grid-cols-2">
      {judges.map(({ value, label, kind }) => (
        <Checkbox
          key={value}
          name="oracle"
          value={value}
          label={kind === 'oracle' ? `${label} (by words)` : label}
        />
      ))}
    </div>
    <p className="text-xs text-ink-3">
      One to three: other models that know the same classes and look at pictures of the same size, or encoders
      with words, of any size. The last suite (FMR) needs them and is left out without.
    </p>
  </fieldset>
);

/** Until somebody has stopped choosing. */
const PAUSE_MS = 400;

/** The plan of what a form says, made anew when the form changes; an answer that comes too late is not shown. */
function usePlan(slug: string) {
  const [planned, setPlanned] = useState<Planned>({});
  const [isOld, start] = useTransition();
  const holder = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(0);
  const ask = useCallback(
    (pause: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const form = holder.current?.querySelector('form');
        if (!form) return;
        newest.current += 1;
        const own = newest.current;
        start(async () => {
          const found = await planOf(slug, new FormData(form));
          if (own === newest.current) setPlanned(found);
        });
      }, pause);
    },
    [slug],
  );
  useEffect(() => {
    ask(0);
    return () => clearTimeout(timer.current);
  }, [ask]);
  return { ...planned, isOld, holder, changed: () => ask(PAUSE_MS) };
}
