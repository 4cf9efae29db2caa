import { Button } from '@/app/_ui/button';
import { Checkbox, type ControlProps, Field, Input, Select, Textarea } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { type PolicyField, policySections } from './policy-fields';
import { inputFor, valueAt } from './policy-values';

interface Props {
  path: string;
  values: unknown;
  errors: Record<string, string>;
  readOnly: boolean;
}

function control(field: PolicyField, value: unknown, readOnly: boolean, ties: ControlProps) {
  const common = { ...ties, name: field.path, defaultValue: inputFor(field, value), disabled: readOnly };
  if (field.kind === 'choice') {
    const options = (field.options ?? []).map((option) => ({ value: option, label: option }));
    return <Select {...common} options={options} />;
  }
  if (field.kind === 'currency') return <Input {...common} maxLength={3} className="uppercase" />;
  if (field.kind === 'text') return <Textarea {...common} rows={4} maxLength={field.max} />;
  return (
    <Input
      {...common}
      type="number"
      step={field.kind === 'integer' || field.kind === 'limit' ? 1 : 'any'}
      min={field.min ?? 0}
      max={field.max ?? (field.kind === 'share' ? 1 : undefined)}
    />
  );
}

/** A GET form. The page that it opens previews the changes. */
export function PolicyForm({ path, values, errors, readOnly }: Props) {
  return (
    <form action={path} className="flex flex-col gap-6">
      <input type="hidden" name="change" value="1" />
      <div className="grid items-start gap-6 lg:grid-cols-2 min-[100rem]:grid-cols-3">
        {policySections.map((section) => (
          <Panel key={section.title} title={section.title} description={`Changes apply to ${section.from}.`}>
            <div className="grid items-start gap-4 sm:grid-cols-2">
              {section.fields.map((field) => {
                const value = valueAt(values, field.path);
                return field.kind === 'switch' ? (
                  <Checkbox
                    key={field.path}
                    className="sm:col-span-2"
                    name={field.path}
                    value="on"
                    label={field.label}
                    hint={field.hint}
                    defaultChecked={value === true}
                    disabled={readOnly}
                  />
                ) : (
                  <Field
                    key={field.path}
                    label={field.label}
                    hint={field.hint}
                    error={errors[field.path]}
                    className={field.kind === 'text' ? 'sm:col-span-2' : undefined}
                  >
                    {(ties) => control(field, value, readOnly, ties)}
                  </Field>
                );
              })}
            </div>
          </Panel>
        ))}
      </div>
      {!readOnly && (
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary">
            Preview changes
          </Button>
          <p className="text-xs text-ink-3">Nothing is applied yet.</p>
        </div>
      )}
    </form>
  );
}
