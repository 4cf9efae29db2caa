import { Checkbox, Field, Input, Select } from '@/app/_ui/forms';
import type { FormatOption, Options } from '@/lib/core/formats/format';

/** The options of a format as a form. */
export function OptionFields({ options, values }: { options: readonly FormatOption[]; values: Options }) {
  return options.map((option) => {
    const { name, says } = option;
    const value = values[name] ?? option.otherwise;
    if (option.kind === 'flag')
      return <Checkbox key={name} name={name} label={name} hint={says} defaultChecked={value === true} />;
    if (option.kind === 'number')
      return (
        <Field key={name} label={name} hint={says}>
          {(control) => (
            <Input
              {...control}
              type="number"
              name={name}
              min={option.min}
              max={option.max}
              step={option.isWhole ? 1 : 'any'}
              defaultValue={String(value)}
            />
          )}
        </Field>
      );
    const chosen = option.values.find((each) => each.value === value);
    return (
      <Field key={name} label={name} hint={`${says}${chosen ? ` ${chosen.value}: ${chosen.says}` : ''}`}>
        {(control) => (
          <Select
            {...control}
            name={name}
            defaultValue={String(value)}
            options={option.values.map((each) => ({ value: each.value, label: each.value }))}
          />
        )}
      </Field>
    );
  });
}
