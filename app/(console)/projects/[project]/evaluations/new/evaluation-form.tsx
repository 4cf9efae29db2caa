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
  suites: { id: string; name: string; description: string }[];
}

export function EvaluationForm({ slug, models, model, versions, suites, judges, decoders, crowd }: Props) {
  const [state, action] = useActionState(start.bind(null, slug), {});
  const { holder, changed, ...planned } = usePlan(slug);
  const [suite, setSuite] = useState('all');
  const left = planned.plan?.left ?? [];
  // Only the clean pictures would run.
  const isNothing = left.length > 0 && planned.plan?.suites.every(({ id }) => id === 'clean');
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Panel title="Settings">
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
                suites.find(({ id }) => id === suite)?.description ??
                `Runs ${suites.length} suites. Choose one to read its description.`
              }
            >
              {(control) => (
                <Select
                  {...control}
                  name="suite"
                  onChange={({ target }) => setSuite(target.value)}
                  options={[
                    { value: 'all', label: 'All suites' },
                    ...suites.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
              )}
            </Field>
            <Field
              label="Preset"
              hint="Quick takes minutes for 500 small images. Paper uses the levels and trials of the publications and takes hours."
            >
              {(control) => (
                <Select
                  {...control}
                  name="preset"
                  options={[
                    { value: 'quick', label: 'Quick' },
                    { value: 'paper', label: 'Paper' },
                  ]}
                />
              )}
            </Field>
            <div className="grid gap-4 sm:grid-cols-3">
              <Field label="Split" hint="Enter “all” for every image.">
                {(control) => <Input {...control} name="split" defaultValue="test" maxLength={40} />}
              </Field>
              <Field label="Maximum images" hint="Stratified by class.">
                {(control) => (
                  <Input {...control} name="images" type="number" min={1} max={100000} defaultValue={500} />
                )}
              </Field>
              <Field label="Seed" hint="Of all random choices.">
                {(control) => <Input {...control} name="seed" type="number" min={0} defaultValue={0} />}
              </Field>
            </div>
            <CompanionFields judges={judges} decoders={decoders} crowd={crowd} />
            <FormError>{state.error}</FormError>
            {isNothing && (
              <FormError>{`This suite cannot run with these settings. ${left.map(({ why }) => why).join(' ')}`}</FormError>
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
  /** Possible oracle models: classifiers and image encoders with word embeddings. */
  judges: { value: string; label: string; kind: string }[];
  /** Decoders for FMR. */
  decoders: { value: string; label: string }[];
  /** Oracle stages; null without the right to manage the crowd. */
  crowd: { stages: { value: string; label: string }[]; slug: string; currency: string } | null;
}

/** Oracle and generator fields of FMR. */
function CompanionFields({ judges, decoders, crowd }: Companions) {
  return (
    <>
      {judges.length > 1 && <JudgeFields judges={judges} />}
      {crowd && (
        <div className="grid gap-2">
          {crowd.stages.length > 0 && (
            <Field
              label="Crowd oracle"
              hint="Only for the suite “Oracle-validated robustness (FMR)”, instead of oracle models. The evaluation waits for the answers."
            >
              {(control) => (
                <Select
                  {...control}
                  name="crowd"
                  options={[{ value: '', label: 'No crowd' }, ...crowd.stages]}
                />
              )}
            </Field>
          )}
          <div>
            <OracleStageDialog slug={crowd.slug} currency={crowd.currency} />
          </div>
        </div>
      )}
      <Field label="Generator" hint="How FMR generates adversarial examples.">
        {(control) => (
          <Select
            {...control}
            name="generator"
            options={[
              { value: 'search', label: 'Small changes of colour, sharpness and position' },
              { value: 'squares', label: 'Lighter or darker squares' },
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
          label={kind === 'oracle' ? `${label} (word embeddings)` : label}
        />
      ))}
    </div>
    <p className="text-xs text-ink-3">
      One to three models: classifiers with the same classes and input size, or image encoders with word
      embeddings. FMR is skipped without an oracle.
    </p>
  </fieldset>
);

/** Debounce of the form. */
const PAUSE_MS = 400;

/** Plans the evaluation whenever the form changes; outdated plans are ignored. */
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
