import { Button } from '@/app/_ui/button';
import { Checkbox, Field, Input } from '@/app/_ui/forms';
import type { ErrorControl, RuleSetting } from '@/lib/core/quality/rules';
import { rules } from '@/lib/core/quality/rules';
import { paramsOf } from './rule-params';

interface Props {
  path: string;
  settings: readonly RuleSetting[];
  readOnly: boolean;
  /** Why a rule currently has no effect, by id. */
  inactive: Readonly<Record<string, string>>;
  /** The worker whose evidence is shown; null if none is selected. */
  workerId: string | null;
}

const errorWords: Record<ErrorControl, string> = {
  bounded: 'False stops: at most the probability "error", over a whole career.',
  supported: 'Pauses only if checks also indicate bad work; then at most 5% of good workers.',
  measured: 'False stops: none among 540 simulated workers.',
  unknown: 'False stops are not controlled.',
};

const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : undefined);

/** A GET form, so that a draft has its own URL. Draft rules have no effect until they are applied. */
export function RuleForm({ path, settings, readOnly, inactive, workerId }: Props) {
  return (
    <form action={path} className="flex flex-col">
      <input type="hidden" name="try" value="1" />
      {workerId && <input type="hidden" name="worker" value={workerId} />}
      <ul className="flex flex-col divide-y divide-line">
        {rules.map((rule) => {
          const setting = settings.find((each) => each.id === rule.id);
          return (
            <li
              key={rule.id}
              className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
            >
              <Checkbox
                name="on"
                value={rule.id}
                defaultChecked={setting !== undefined}
                disabled={readOnly}
                label={<span className="font-medium">{rule.title}</span>}
                hint={`${rule.description} Strongest action: ${rule.atMost}. ${errorWords[rule.errorControl]} ${rule.advice}${inactive[rule.id] ? ` ${inactive[rule.id]}` : ''}`}
              />
              <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-3">
                {paramsOf(rule).map((param) => (
                  <Field key={param.name} label={param.label}>
                    {(control) => (
                      <Input
                        {...control}
                        type="number"
                        name={`${rule.id}.${param.name}`}
                        aria-label={`${rule.title}: ${param.label}`}
                        step={param.isInteger ? 1 : 'any'}
                        min={param.min}
                        max={param.max}
                        disabled={readOnly}
                        defaultValue={rounded(setting?.params[param.name]) ?? rounded(param.usual)}
                      />
                    )}
                  </Field>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
      {!readOnly && (
        <div className="flex items-center gap-3 border-t border-line px-4 py-3">
          <Button type="submit" variant="primary">
            Try on past work
          </Button>
          <p className="text-xs text-ink-3">This does not change anything.</p>
        </div>
      )}
    </form>
  );
}
