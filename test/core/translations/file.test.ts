import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planImport, readTranslations, type TextEntry, writeTranslations } from '@/lib/core/translations';

const entry = (key: string, more: Partial<TextEntry> = {}): TextEntry => ({
  key,
  area: 'guide',
  group: 'Parts',
  label: key,
  original: 'Draw the tail.',
  maxLength: 300,
  isMarkdown: false,
  isMultiline: true,
  state: 'missing',
  number: 0,
  translation: '',
  translatedFrom: null,
  ...more,
});

const head = { project: 'birds', from: 'en', to: 'es' };

const rowsOf = (format: 'json' | 'csv', entries: TextEntry[]) => {
  const file = readTranslations(format, writeTranslations(format, head, entries));
  if ('error' in file) throw new Error(file.error);
  return file;
};

describe.each(['json', 'csv'] as const)('a language as %s', (format) => {
  it('comes back as it went, whatever the texts contain', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }), (pairs) => {
        const entries = pairs.map(([original, translation], index) =>
          entry(`key/${index}`, { original, translation }),
        );
        const { to, rows } = rowsOf(format, entries);
        expect(to).toBe('es');
        expect(rows.map(({ key, original, translation }) => [key, original, translation])).toEqual(
          entries.map(({ key, original, translation }) => [key, original, translation]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each(['=1+1', "'=1+1", '- a list', '+1', '@here', '\tindented', 'a "quoted", text', 'two\nlines'])(
    'keeps %j, also where a spreadsheet would run it',
    (text) => {
      const entries = [entry('a', { original: text, translation: text })];
      expect(rowsOf(format, entries).rows).toMatchObject([{ original: text, translation: text }]);
    },
  );

  it('changes nothing when it is imported as it was exported', () => {
    const entries = [
      entry('a', { state: 'translated', translation: 'Dibuja la cola.', number: 2 }),
      entry('b'),
    ];
    expect(planImport(entries, rowsOf(format, entries).rows)).toEqual({
      changes: [],
      unchanged: 1,
      empty: 1,
      problems: [],
    });
  });
});

describe('a table', () => {
  it('has no cell that a spreadsheet runs as a formula', () => {
    const table = writeTranslations('csv', head, [entry('a', { original: '=HYPERLINK("http://x")' })]);
    expect(table).toContain(`"'=HYPERLINK(""http://x"")"`);
  });

  it.each([
    ['no columns', 'a;b\n1;2\n'],
    ['an open quote', 'key,original,translation\na,"b'],
    ['no lines', 'key,original,translation\n'],
    ['two languages', 'key,language,original,translation\na,es,x,y\nb,fr,x,y\n'],
  ])('with %s is refused with a sentence', (_, content) => {
    expect(readTranslations('csv', content)).toEqual({ error: expect.stringMatching(/^The table .*\.$/) });
  });
});

describe('a JSON file', () => {
  it.each([
    '',
    '{',
    '[]',
    '{"format":"other"}',
    '{"format":"tessera-translations","version":1,"to":"xx","texts":[]}',
  ])('like %j is refused with a sentence', (content) => {
    expect(readTranslations('json', content)).toEqual({ error: expect.stringMatching(/^The file is not /) });
  });
});

describe('an import', () => {
  const entries = [entry('a'), entry('b', { maxLength: 10 }), entry('c', { number: 3, state: 'outdated' })];
  const row = (key: string, translation: string, original = 'Draw the tail.') => ({
    key,
    original,
    translation,
  });

  it('takes what can be stored and lists the rest', () => {
    const plan = planImport(entries, [
      row('a', 'Dibuja la cola.'),
      row('b', 'Es demasiado largo.'),
      row('c', 'Dibuja.', 'Draw the head.'),
      row('gone', 'Nada'),
      row('a', 'Otra vez'),
    ]);
    expect(plan.changes).toEqual([{ key: 'a', text: 'Dibuja la cola.', number: 0 }]);
    expect(plan.problems.map(({ key }) => key)).toEqual(['b', 'c', 'gone', 'a']);
    expect(plan.problems[1]?.problem).toContain('has changed since the export');
  });

  it('ignores line ends that another program changed', () => {
    const lines = [entry('a', { original: 'One.\nTwo.' })];
    const plan = planImport(lines, [row('a', 'Uno.\r\nDos.', 'One.\r\nTwo.')]);
    expect(plan.changes).toEqual([{ key: 'a', text: 'Uno.\nDos.', number: 0 }]);
  });
});
