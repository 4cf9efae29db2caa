import { Field, Input, Select } from '@/app/_ui/forms';
import { formatShort } from '@/lib/format';
import { attackName } from '@/lib/training/report/tests-of';
import type { JobSpec } from '@/lib/training/spec';
import { fieldPaths, valueAt } from './read-wanted';

interface Props {
  /** The preset's own spec: its values are the usual ones. */
  usual: JobSpec;
  /** What differs. */
  set: Record<string, string>;
}

/** The settings that people change. A field left empty is as the preset has it. */
export function SettingFields({ usual, set }: Props) {
  const number = (path: string, label: string, hint?: string, step = 'any', otherwise = 'all') => {
    const value = valueAt(usual, path);
    return (
      <Field key={path} label={label} hint={hint}>
        {(control) => (
          <Input
            {...control}
            type="number"
            name={path}
            min={0}
            step={step}
            defaultValue={set[path] ?? ''}
            placeholder={typeof value === 'number' ? formatShort(value) : otherwise}
          />
        )}
      </Field>
    );
  };
  const choice = (path: string, label: string, options: [value: string, label: string][]) => (
    <Field key={path} label={label}>
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
      {usual.stages.flatMap(({ name, method }, at) => [
        number(`stages.${at}.epochs`, `Epochs, ${name}`, undefined, '1'),
        number(`stages.${at}.lr`, `Learning rate, ${name}`),
        ...(method === 'trades' ? [number(`stages.${at}.beta`, 'β of TRADES')] : []),
      ])}
      {!isBaseline && number('train.cSeg', 'c_seg', 'Weight of the mask loss, 0 to 1.')}
      {number('train.batchSize', 'Batch size', undefined, '1')}
      {number('train.weightDecay', 'Weight decay')}
      {!isBaseline && number('data.labelledFraction', 'Label fraction', 'Images that keep part labels.')}
      {!isBaseline &&
        choice('data.labels', 'Label kind', [
          ['mask', 'Masks'],
          ['box', 'Boxes'],
          ['centroid', 'Centroids'],
        ])}
      {choice('data.classWeights', 'Class weights', [
        ['none', 'None'],
        ['balanced', 'Balanced'],
      ])}
      {choice('data.labelWeights', 'Label quality', [
        ['false', 'All labels alike'],
        ['true', 'By confidence'],
      ])}
      {number(
        'resources.wallMinutes',
        'Time limit, minutes',
        'Then it stops with a checkpoint.',
        undefined,
        'none',
      )}
      {usual.test.map((test, at) =>
        test.attack === 'none'
          ? null
          : number(`test.${at}.sample`, `Test images, ${attackName(test.attack)}`, undefined, '1'),
      )}
      {!isBaseline &&
        choice('model.level', 'Segments', [
          ['part', 'Parts'],
          ['object', 'Whole objects'],
        ])}
      {usual.model.arch === 'downsampled' && [
        number('model.pool', 'Pool size', 'Side of the grid of pooled masks.', '1'),
        choice('model.background', 'Background', [
          ['true', 'Classified too'],
          ['false', 'Left out'],
        ]),
        choice('model.withImage', 'Beside the masks', [
          ['false', 'Nothing'],
          ['true', 'The picture'],
        ]),
      ]}
      {number('train.accumulate', 'Pieces of a step', 'More need less memory.', '1')}
      {usual.resources.device !== 'cpu' &&
        choice('train.precision', 'Precision', [
          ['fp32', 'Full'],
          ['amp', 'Mixed'],
        ])}
      {number('validate.patience', 'Early stop after', 'Validations without a better one.', '1', 'never')}
      {Object.entries(set)
        .filter(([path]) => !fields.has(path))
        .map(([path, value]) => (
          <input key={path} type="hidden" name={path} value={value} />
        ))}
    </div>
  );
}
