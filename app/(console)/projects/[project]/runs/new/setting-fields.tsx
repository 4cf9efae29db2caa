import { Field, Input, Select } from '@/app/_ui/forms';
import { formatShort } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import { fieldPaths, settingLabel, valueAt } from './read-wanted';

interface Props {
  /** The preset's own spec: its values are the usual ones. */
  usual: JobSpec;
  /** What differs. */
  set: Record<string, string>;
}

/** The settings that people change. A field left empty is as the preset has it. */
export function SettingFields({ usual, set }: Props) {
  const number = (path: string, hint?: string, step = 'any', fallback = 'all') => {
    const value = valueAt(usual, path);
    return (
      <Field key={path} label={settingLabel(path, usual)} hint={hint}>
        {(control) => (
          <Input
            {...control}
            type="number"
            name={path}
            min={0}
            step={step}
            defaultValue={set[path] ?? ''}
            placeholder={typeof value === 'number' ? formatShort(value) : fallback}
          />
        )}
      </Field>
    );
  };
  const choice = (path: string, options: [value: string, label: string][]) => (
    <Field key={path} label={settingLabel(path, usual)}>
      {(control) => (
        <Select
          {...control}
          name={path}
          defaultValue={set[path] ?? String(valueAt(usual, path))}
          options={options.map(([value, text]) => ({ value, label: text }))}
        />
      )}
    </Field>
  );
  const fields = fieldPaths(usual);
  const isBaseline = usual.model.arch === 'baseline';
  return (
    <div className="grid grid-cols-2 gap-3">
      {usual.stages.flatMap(({ method }, at) => [
        number(`stages.${at}.epochs`, undefined, '1'),
        number(`stages.${at}.lr`),
        ...(method === 'trades' ? [number(`stages.${at}.beta`)] : []),
      ])}
      {!isBaseline && number('train.cSeg', 'Weight of the mask loss, 0 to 1.')}
      {number('train.batchSize', undefined, '1')}
      {number('train.weightDecay')}
      {!isBaseline && number('data.labelledFraction', 'Images that keep part labels.')}
      {!isBaseline &&
        choice('data.labels', [
          ['mask', 'Masks'],
          ['box', 'Boxes'],
          ['centroid', 'Centroids'],
        ])}
      {choice('data.classWeights', [
        ['none', 'None'],
        ['balanced', 'Balanced'],
      ])}
      {choice('data.labelWeights', [
        ['false', 'All labels alike'],
        ['true', 'By confidence'],
      ])}
      {number('resources.wallMinutes', 'Then it stops with a checkpoint.', undefined, 'none')}
      {usual.test.map((test, at) =>
        test.attack === 'none' ? null : number(`test.${at}.sample`, undefined, '1'),
      )}
      {!isBaseline &&
        choice('model.level', [
          ['part', 'Parts'],
          ['object', 'Whole objects'],
        ])}
      {usual.model.arch === 'downsampled' && [
        number('model.pool', 'Side of the grid of pooled masks.', '1'),
        choice('model.background', [
          ['true', 'Classified too'],
          ['false', 'Left out'],
        ]),
        choice('model.withImage', [
          ['false', 'Nothing'],
          ['true', 'The picture'],
        ]),
      ]}
      {number('train.accumulate', 'More need less memory.', '1')}
      {usual.resources.device !== 'cpu' &&
        choice('train.precision', [
          ['fp32', 'Full'],
          ['amp', 'Mixed'],
        ])}
      {number('validate.patience', 'Validations without a better one.', '1', 'never')}
      {Object.entries(set)
        .filter(([path]) => !fields.has(path))
        .map(([path, value]) => (
          <input key={path} type="hidden" name={path} value={value} />
        ))}
    </div>
  );
}
