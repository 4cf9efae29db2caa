import { describe, expect, it } from 'vitest';
import { rival10 } from '@/lib/core/schema/presets';
import {
  countShown,
  mentionsAge,
  nameExamples,
  ProjectTexts,
  type SourceText,
  schemaTexts,
  TranslationIndex,
  textKeys,
  textProblem,
  translateSchema,
} from '@/lib/core/translations';

const row = (key: string, number: number, source: string, text: string) => ({
  id: `${key} ${number}`,
  key,
  number,
  source,
  text,
});

const source = (original: string): SourceText => ({
  key: 'guide/s//short',
  area: 'guide',
  group: 'Parts',
  label: 'Short',
  original,
  maxLength: 50,
  isMarkdown: true,
  isMultiline: true,
});

describe('the state of a translation', () => {
  const rows = [
    row('guide/s//short', 1, 'Draw.', 'Dibuja.'),
    row('guide/s//short', 2, 'Draw it.', 'Dibújalo.'),
  ];
  const index = new TranslationIndex(rows);

  it('is translated while the original is the one that was translated', () => {
    expect(index.entryOf(source('Draw it.'))).toMatchObject({
      state: 'translated',
      translation: 'Dibújalo.',
      number: 2,
    });
  });

  it('is outdated when the original changed, with the old translation as a start', () => {
    expect(index.entryOf(source('Draw all of it.'))).toMatchObject({
      state: 'outdated',
      translation: 'Dibújalo.',
      translatedFrom: 'Draw it.',
      number: 2,
    });
  });

  it('is translated again when an earlier original comes back', () => {
    expect(index.entryOf(source('Draw.'))).toMatchObject({ state: 'translated', translation: 'Dibuja.' });
  });

  it('is missing after the translation was removed', () => {
    const removed = new TranslationIndex([...rows, row('guide/s//short', 3, 'Draw it.', '')]);
    expect(removed.entryOf(source('Draw it.'))).toMatchObject({
      state: 'missing',
      number: 3,
      translation: '',
    });
    expect(removed.find('guide/s//short', 'Draw it.')).toBeUndefined();
  });
});

describe('the texts for a reader', () => {
  const index = new TranslationIndex([row('project/name', 1, 'Birds', 'Aves')]);

  it('are translated, or the original with its language', () => {
    const texts = new ProjectTexts('en', 'es', index);
    expect(texts.show('project/name', 'Birds')).toEqual({ text: 'Aves', language: 'es' });
    expect(texts.coverage).toBe('all');
    expect(texts.show('project/description', 'Pictures')).toEqual({ text: 'Pictures', language: 'en' });
    expect(texts.coverage).toBe('some');
  });

  it('miss nothing for who reads the original, and nothing for an empty text', () => {
    const own = ProjectTexts.untranslated('en');
    expect(own.show('project/name', 'Birds').language).toBe('en');
    expect(own.coverage).toBe('all');
    const texts = new ProjectTexts('en', 'es', index);
    texts.show('project/description', '');
    expect(texts.coverage).toBe('all');
    texts.show('project/other', 'Birds');
    expect(texts.coverage).toBe('none');
  });
});

describe('the texts of a schema', () => {
  const rows = schemaTexts(rival10).map(({ key, original }) => row(key, 1, original, `${original} (es)`));

  it('have a key each, and ids stay as they are', () => {
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    const texts = new ProjectTexts('en', 'es', new TranslationIndex(rows));
    const schema = translateSchema(rival10, texts);
    const ids = (of: typeof rival10) =>
      [of.classes, of.attributeGroups, of.attributes, of.parts].map((each) => each.map(({ id }) => id));
    expect(ids(schema)).toEqual(ids(rival10));
    expect(schema.attributes[0]?.name).toBe(`${rival10.attributes[0]?.name} (es)`);
    expect(schema.attributes[0]?.definition).toBe(`${rival10.attributes[0]?.definition} (es)`);
  });

  it('count as missing only where a stage shows them', () => {
    const classes = rows.filter(({ key }) => key.startsWith('schema/class/'));
    const only = () => new ProjectTexts('en', 'es', new TranslationIndex(classes));
    const [drawn, described] = [only(), only()];
    countShown(rival10, 'object-mask', drawn);
    countShown(rival10, 'attributes', described);
    expect([drawn.coverage, described.coverage]).toEqual(['all', 'some']);
  });
});

describe('a translation', () => {
  it.each([
    ['too long', 'x'.repeat(51)],
    ['a control character', 'a\u0007b'],
    ['a character that turns the direction', 'a\u202egpj.exe'],
    ['an isolate', 'a\u2066b'],
    ['half of a surrogate pair', 'a\ud800'],
  ])('with %s is refused', (_, text) => {
    expect(textProblem(text, source('Draw.'))).not.toBeNull();
  });

  it('keeps markup as text, Arabic with its marks, and joiners', () => {
    for (const text of ['<script>alert(1)</script>', 'ارسم الذيل\u200f (tail)', 'क्‍ष', '- uno\n- dos'])
      expect(textProblem(text, source('Draw.'))).toBeNull();
  });

  it('of one line stays on one line', () => {
    expect(textProblem('a\nb', { ...source('A'), isMultiline: false })).toContain('one line');
  });

  it('of the statement mentions the age, in any digits', () => {
    const key = textKeys.consent('statement');
    const problem = (text: string) => textProblem(text, { ...source('18'), key });
    expect(problem('Estoy de acuerdo.')).toContain('18');
    for (const text of [
      'Tengo al menos 18 años.',
      'عمري ١٨ عامًا',
      'मेरी आयु १८ वर्ष',
      '18歳以上',
      '我已年满十八岁',
    ])
      expect(problem(text)).toBeNull();
    expect(mentionsAge('Tengo 180 años')).toBe(false);
  });
});

describe('the examples of a guide', () => {
  it('are named by their picture, so that their order can change', () => {
    expect(nameExamples(['a', 'b', 'a'])).toEqual(['a', 'b', 'a~2']);
  });
});
