import { TesseraError } from '@/lib/core/errors';
import type { Format, Options } from '@/lib/core/formats/format';
import { readOptions } from '@/lib/core/formats/read-options';
import { optionsOf } from '@/lib/services/datasets/exports/open-export';

type Query = Record<string, string | string[] | undefined>;

/** The options that an address asks for; a flag that is not ticked is not in it. What it asks in vain is the default. */
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

/** Only what differs from the defaults: what a person has to type. */
export function chosenOptions(format: Format, options: Options): [string, string][] {
  return optionsOf(format).flatMap(({ name, otherwise }): [string, string][] =>
    options[name] === undefined || options[name] === otherwise ? [] : [[name, String(options[name])]],
  );
}
