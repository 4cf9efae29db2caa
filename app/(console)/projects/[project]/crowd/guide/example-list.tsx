import { Button } from '@/app/_ui/button';
import { Field, Input, Select, Textarea } from '@/app/_ui/forms';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { GuideExample } from '@/lib/services/crowd/guide/example-places';

interface Props {
  examples: GuideExample[];
  addresses: Record<string, string>;
  onChange: (examples: GuideExample[]) => void;
  readOnly: boolean;
}

const verdicts = [
  { value: 'good', label: 'good' },
  { value: 'not good', label: 'not good' },
];

/** Pictures with what is right or wrong about them; one that is wrong says why. */
export function ExampleList({ examples, addresses, onChange, readOnly }: Props) {
  if (examples.length === 0) {
    return <p className="text-ink-3">None yet. Examples with “why not” notes save the most questions.</p>;
  }
  const change = (index: number, part: Partial<GuideExample>) =>
    onChange(examples.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <ul className="flex flex-col gap-3">
      {examples.map((example, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a picture may be shown twice; the place is what it has.
          key={index}
          className="grid gap-3 rounded-md border border-line p-3 sm:grid-cols-[8rem_minmax(0,1fr)]"
        >
          <Thumbnail src={addresses[example.picture]} alt={`Example ${index + 1}`} width={128} height={128} />
          <div className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
            <Field label="It is">
              {(control) => (
                <Select
                  {...control}
                  options={verdicts}
                  value={example.verdict}
                  disabled={readOnly}
                  onChange={(event) =>
                    change(index, { verdict: event.target.value as GuideExample['verdict'] })
                  }
                />
              )}
            </Field>
            <Field label="Caption" optional>
              {(control) => (
                <Input
                  {...control}
                  value={example.caption}
                  maxLength={300}
                  disabled={readOnly}
                  onChange={(event) => change(index, { caption: event.target.value })}
                />
              )}
            </Field>
            <Field
              label={example.verdict === 'good' ? 'Note' : 'Why not'}
              optional={example.verdict === 'good'}
              className="sm:col-span-2"
            >
              {(control) => (
                <Textarea
                  {...control}
                  rows={2}
                  value={example.note}
                  maxLength={1000}
                  disabled={readOnly}
                  onChange={(event) => change(index, { note: event.target.value })}
                />
              )}
            </Field>
            {!readOnly && (
              <div className="sm:col-span-2">
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => onChange(examples.filter((_, at) => at !== index))}
                >
                  Remove example {index + 1}
                </Button>
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
