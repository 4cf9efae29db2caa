import { describe, expect, it } from 'vitest';
import { readCsv } from '@/lib/core/formats/markup/csv';
import { escapeXml, readXml } from '@/lib/core/formats/markup/xml';
import { readYaml } from '@/lib/core/formats/markup/yaml';

describe('XML', () => {
  it.each([
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    ['an entity of its own', '<a>&lol;</a>', /no entity/],
    ['a tag that is cut off', '<a b="', /cut off/],
    ['a wrong end', '<a><b></a></b>', /closes nothing/],
    ['no end', '<a><b></b>', /never closed/],
    ['too much within each other', '<a>'.repeat(1000), /more than 64/],
    ['attributes without quotes', '<a b=c></a>', /attributes/],
    ['a character that is none', '<a>&#0;</a>', /no character/],
  ])('with %s is refused', (_, text, why) => {
    expect(() => [...readXml(text)]).toThrow(why);
  });

  it('gives back any text that was escaped', () => {
    for (const text of ['<&>"\'', 'a\n\tb\r', 'ä 犬 🐕', ']]>', '&amp;']) {
      const [open, inside] = [...readXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)];
      expect(open).toMatchObject({ attributes: { b: text } });
      expect(inside).toMatchObject({ text });
    }
  });
});

it('tables and YAML give back quotes, commas and line ends', () => {
  const csv = 'a,b\r\n"x, ""y""","1\n2"\n\nplain,\n';
  expect([...readCsv(csv)]).toEqual([
    { a: 'x, "y"', b: '1\n2' },
    { a: 'plain', b: '' },
  ]);
  expect(() => [...readCsv('a\n"open')]).toThrow(/within quotes/);
  const names = { '0': 'a: b', '1': "it's" };
  expect(readYaml("path: . # here\nnames:\n  0: \"a: b\"\n  1: 'it''s'\n")).toMatchObject({
    path: '.',
    names,
  });
  expect(readYaml('names: [dog, "a, b"]\n').names).toEqual(['dog', 'a, b']);
  expect(readYaml('names:\n- dog\n- cat\n').names).toEqual(['dog', 'cat']);
  expect(readYaml('"train": "images/train"\n\'a b\' : c\nno:pair\n')).toEqual({
    train: 'images/train',
    'a b': 'c',
  });
});

it('YAML with a line or a text without end is refused', () => {
  expect(() => readYaml(`a${' '.repeat(300_000)}`)).toThrow(/a line of more than/);
  expect(() => readYaml('a: b\n'.repeat(2_000_000))).toThrow(/larger than 8 MB/);
});
