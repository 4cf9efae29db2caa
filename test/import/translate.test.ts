import { expect, it } from 'vitest';
import { Translator } from '@/lib/datasets/import/translate';
import type { SourceImage } from '@/lib/formats/format';
import { fullMask } from '@/lib/mask';
import { cityscapesParts } from '@/lib/schema/presets';

const imported = { source: 'import', confidence: 1 } as const;

const street = (className: string | null, ...objects: (string | null)[]): SourceImage => ({
  path: 'a.png',
  bytes: async () => new Uint8Array(),
  name: 'a.png',
  className,
  wnid: null,
  groupKey: null,
  columns: {},
  split: null,
  width: 4,
  height: 3,
  attributes: null,
  attributeMasks: [],
  objects: objects.map((each, index) => ({
    className: each,
    instance: index + 1,
    outline: { ...imported, mask: fullMask(3, 4) },
    parts: [],
    absent: [],
  })),
  hasMasks: true,
});

const targets = (image: SourceImage) =>
  new Translator(cityscapesParts, cityscapesParts).image(image).labels.map(({ target }) => target);

it('objects of an image without class keep their own', () => {
  expect(targets(street(null, 'car', 'person'))).toEqual(['#2:car', '#3:person']);
  expect(targets(street('unicorn', 'car'))).toEqual(['#2:car']);
  expect(targets(street('car', 'car', 'person'))).toEqual(['', '#2:person']);
  expect(targets(street('car', 'person'))).toEqual(['#2:person']);
  // One without class takes the first place and is left out.
  expect(targets(street(null, 'car', null))).toEqual(['#2:car']);
});
