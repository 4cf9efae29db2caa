import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { Checkbox, Field, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { TesseraError } from '@/lib/core/errors';
import { formats } from '@/lib/core/formats';
import type { Format, FormatOption, Options } from '@/lib/core/formats/format';
import { readOptions } from '@/lib/core/formats/options';
import { optionsOf } from '@/lib/services/datasets/exports/open-export';

const kinds: Record<Format['kind'], string> = {
  'part-model code': 'For the part-model code',
  'own layout': 'Original dataset layouts',
  general: 'General',
};

/** All formats by kind, each with a summary in one sentence. */
export function FormatList({ path, chosen }: { path: string; chosen: string | undefined }) {
  return (
    <Panel title="Format" flush>
      <nav aria-label="Formats" className="flex flex-col py-2">
        {(Object.keys(kinds) as Format['kind'][]).map((kind) => {
          const members = formats.filter((format) => format.kind === kind);
          if (members.length === 0) return null;
          return (
            <div key={kind} className="flex flex-col pb-2">
              <h3 className="px-4 py-1 text-xs font-medium text-ink-3">{kinds[kind]}</h3>
              {members.map(({ id, name, summary }) => (
                <Link
                  key={id}
                  href={`${path}?format=${id}`}
                  scroll={false}
                  aria-current={id === chosen ? 'true' : undefined}
                  className={cn(
                    'flex flex-col border-l-2 border-transparent px-4 py-1 hover:bg-hover',
                    'aria-[current]:border-accent aria-[current]:bg-hover',
                  )}
                >
                  <span className="font-medium">{name}</span>
                  <span className="line-clamp-2 text-xs text-ink-3">{summary}</span>
                </Link>
              ))}
            </div>
          );
        })}
      </nav>
    </Panel>
  );
}

/** The options of a format as a form. */
export function OptionFields({ options, values }: { options: readonly FormatOption[]; values: Options }) {
  return options.map((option) => {
    const { name, description } = option;
    const value = values[name] ?? option.defaultValue;
    if (option.kind === 'flag')
      return (
        <Checkbox key={name} name={name} label={name} hint={description} defaultChecked={value === true} />
      );
    if (option.kind === 'number')
      return (
        <Field key={name} label={name} hint={description}>
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
      <Field
        key={name}
        label={name}
        hint={`${description}${chosen ? ` ${chosen.value}: ${chosen.description}` : ''}`}
      >
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

type Query = Record<string, string | string[] | undefined>;

/** Reads the options from the query of a URL, which omits unchecked flags. Invalid options give the defaults. */
export function optionsFrom(format: Format, query: Query): Options {
  const options = optionsOf(format);
  const isAsked = query.asked === format.id;
  const given = options.flatMap((option) => {
    const value = query[option.name];
    if (option.kind === 'flag') return isAsked ? [[option.name, value === 'on']] : [];
    return typeof value === 'string' ? [[option.name, value]] : [];
  });
  try {
    return readOptions(options, Object.fromEntries(given));
  } catch (error) {
    if (error instanceof TesseraError) return readOptions(options, {});
    throw error;
  }
}

/** The options that differ from the defaults, for the command line. */
export function chosenOptions(format: Format, options: Options): [string, string][] {
  return optionsOf(format).flatMap(({ name, defaultValue }): [string, string][] =>
    options[name] === undefined || options[name] === defaultValue ? [] : [[name, String(options[name])]],
  );
}
