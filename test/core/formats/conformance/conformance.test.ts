import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { cases, unlabelled } from './cases';
import { conformance, exportCase, runCase } from './suite';

/** What the documentation shows; `npm run docs` makes the table of docs/formats.md from it. */
const results: Record<string, { loaders: string; cases: Record<string, string> }> = {};

/** The same loss counts other numbers of images in other cases. */
const withoutCounts = (loss: string): string => loss.replaceAll(/\d+/g, '');

describe.each(formats.map((format) => [format.id, format] as const))('loaders of %s', (id, format) => {
  const plain = () => runCase(format, cases[0] as (typeof cases)[number]);

  it.each(cases.map((entry) => [entry.name, entry] as const))(
    'see exactly what is promised: %s',
    async (_, entry) => {
      const { check, seen, found, wanted } = await runCase(format, entry);
      expect(found).toEqual(wanted);
      // Losses that hold for every dataset are no losses of this property, unless they are about it.
      const usual = (await plain()).check.losses.map(withoutCounts);
      const losses = check.losses.filter(
        (loss) => (entry.loss ? entry.loss.test(loss) : false) || !usual.includes(withoutCounts(loss)),
      );
      const { vocabulary } = conformance[id] ?? {};
      // Nothing disappears without a word.
      if (entry.isSeen && vocabulary && !entry.isSeen(seen, vocabulary)) expect(losses).not.toEqual([]);
      results[id] ??= { loaders: conformance[id]?.loaders ?? '', cases: {} };
      results[id].cases[entry.id] = losses.join(' ') || 'exact';
    },
  );

  it('are not given an export without any label', async () => {
    const plan = conformance[id];
    if (!plan) throw new Error(`no reader for ${id}`);
    const { check } = await exportCase(format, unlabelled(plan.vocabulary), {
      ...plan.options,
      names: 'number',
    });
    expect(check.refusals.map(({ what }) => what).join('\n')).toMatch(/no labels|nobody|has no class/i);
  });
});

it('has the results that the documentation shows', async () => {
  await expect(`${JSON.stringify(results, null, 2)}\n`).toMatchFileSnapshot('./results.json');
});
