import { Field, Input, Select } from '@/app/_ui/forms';
import { formatShort } from '@/lib/core/format';
import {
  type Arch,
  type JobSpec,
  type Method,
  trainingPreset,
  trainingPresets,
} from '@/lib/core/training-spec';
import type { VersionSummary } from '@/lib/services/datasets/versions/list-versions';
import type { Place } from '@/lib/services/training/trainers/list-trainers';
import { archNames, methodNames } from '../run-words';
import type { Asked } from './read-wanted';

const methodSays: Record<Method, string> = {
  normal: 'Clean images only.',
  pgd: 'Clean first, then on images that an attack of ten steps has changed within 8/255.',
  trades: 'Clean first, then clean accuracy traded against staying the same under attack.',
};

const archSays: Record<Arch, string> = {
  baseline: 'A ResNet without parts: what the part models are compared with.',
  downsampled: 'Classifies the predicted part masks, pooled to 4 × 4.',
  'bounding-box': 'Classifies where each predicted part is and how far it reaches.',
  'two-headed-encoder': 'Segments and classifies side by side, from the encoder.',
  'two-headed-decoder': 'Segments and classifies side by side, from the decoder.',
  pixel: 'Each pixel votes for the class of its part.',
};

interface Props {
  asked: Asked;
  versions: VersionSummary[];
  places: Place[];
}

/** What is trained on what: each choice is shown in the spec at once. */
export function RunFields({ asked, versions, places }: Props) {
  const preset = trainingPreset(asked.preset);
  const version = versions.find(({ number }) => String(number) === asked.version) ?? versions[0];
  const { train = 0, val = 0, test = 0 } = version?.card.counts.bySplit ?? {};
  const place = places.find(({ kind }) => kind === asked.launcher);
  return (
    <>
      <Field label="Version" hint={`${train} train, ${val} val, ${test} test`}>
        {(control) => (
          <Select
            {...control}
            name="version"
            defaultValue={String(version?.number)}
            options={versions.map(({ number, tags, images }) => ({
              value: String(number),
              label: [`Version ${number}`, ...tags, `${images} images`].join(', '),
            }))}
          />
        )}
      </Field>
      <Field label="Preset" hint={preset?.description}>
        {(control) => (
          <Select
            {...control}
            name="preset"
            defaultValue={asked.preset}
            options={trainingPresets
              .toSorted((a, b) => Number(a.needsGpu) - Number(b.needsGpu))
              .map(({ id, title, needsGpu }) => ({
                value: id,
                label: `${title}${needsGpu ? ' (GPU)' : ''}`,
              }))}
          />
        )}
      </Field>
      <Field label="Architecture" hint={archSays[asked.arch]}>
        {(control) => (
          <Select
            {...control}
            key={asked.preset}
            name="arch"
            defaultValue={asked.arch}
            options={(preset?.archs ?? []).map((arch) => ({ value: arch, label: archNames[arch] }))}
          />
        )}
      </Field>
      <Field label="Method" hint={methodSays[asked.method]}>
        {(control) => (
          <Select
            {...control}
            name="method"
            defaultValue={asked.method}
            options={Object.entries(methodNames).map(([value, label]) => ({ value, label }))}
          />
        )}
      </Field>
      <Field label="Seeds" hint="Several, by commas, are a study: one run for each.">
        {(control) => <Input {...control} name="seeds" defaultValue={asked.seeds} maxLength={200} />}
      </Field>
      <Field label="Classes" hint="Super-classes: human and vehicle instead of person, rider, car.">
        {(control) => (
          <Select
            {...control}
            name="classes"
            defaultValue={asked.classes}
            options={[
              { value: 'class', label: 'Classes' },
              { value: 'superclass', label: 'Super-classes' },
            ]}
          />
        )}
      </Field>
      <Field label="Where" hint={place?.description}>
        {(control) => (
          <Select
            {...control}
            name="launcher"
            defaultValue={asked.launcher}
            options={places.map(({ kind, label, fits }) => ({
              value: kind,
              label: fits ? label : `${label} (nothing fits now)`,
            }))}
          />
        )}
      </Field>
      <Field label="Name" optional hint="Else it is made of the choices above.">
        {(control) => <Input {...control} name="name" defaultValue={asked.name} maxLength={120} />}
      </Field>
    </>
  );
}

interface SweepFieldsProps {
  asked: Asked;
  /** The preset's own spec: what is trained where nothing is tried. */
  usual: JobSpec;
}

/** Values to try out, and how much may be spent on it. */
export function SweepFields({ asked, usual }: SweepFieldsProps) {
  const [first] = usual.stages;
  const last = usual.stages.at(-1);
  const list = (name: keyof Asked, label: string, value: number | undefined) => (
    <Field key={name} label={label}>
      {(control) => (
        <Input
          {...control}
          name={name}
          defaultValue={asked[name]}
          maxLength={200}
          placeholder={value === undefined ? undefined : formatShort(value)}
        />
      )}
    </Field>
  );
  return (
    <div className="grid grid-cols-2 gap-3">
      {list('sweepLr', 'Learning rates', first?.lr)}
      {list('sweepWeightDecay', 'Weight decays', usual.train.weightDecay)}
      {usual.model.arch !== 'baseline' && list('sweepCSeg', 'c_seg', usual.train.cSeg)}
      {usual.model.arch !== 'baseline' &&
        list('sweepLabelled', 'Shares with part labels', usual.data.labelledFraction)}
      {last?.method === 'trades' && list('sweepBeta', 'β of TRADES', last.beta)}
      <Field label="Most runs">
        {(control) => (
          <Input
            {...control}
            type="number"
            name="budgetRuns"
            min={1}
            max={200}
            step="1"
            defaultValue={asked.budgetRuns}
            placeholder="24"
          />
        )}
      </Field>
      <Field label="Most minutes">
        {(control) => (
          <Input
            {...control}
            type="number"
            name="budgetMinutes"
            min={1}
            step="any"
            defaultValue={asked.budgetMinutes}
            placeholder="any"
          />
        )}
      </Field>
    </div>
  );
}
