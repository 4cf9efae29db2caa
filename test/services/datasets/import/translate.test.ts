import { describe, expect, it } from 'vitest';
import type { SourceImage } from '@/lib/core/formats/format';
import { fullMask, rasterizePolygons } from '@/lib/core/mask';
import { type DatasetSchema, STUFF_NUMBER } from '@/lib/core/schema';
import { cityscapesParts, rival10 } from '@/lib/core/schema/presets';
import { Translator } from '@/lib/services/datasets/import/translate';

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

it('imported stuff has the target that workers are asked for, so that nobody draws it again', () => {
  const road = { id: 'road', name: 'Road', kind: 'stuff' as const };
  const schema = { ...cityscapesParts, classes: [...cityscapesParts.classes, road] };
  const image = street('car', 'car', 'person', 'road', 'road', 'car');
  const found = new Translator(schema, schema).image(image).labels.map(({ target }) => target);
  expect(found).toEqual(['', '#2:person', `#${STUFF_NUMBER}:road`, '#4:road', '#5:car']);
});

describe('a form from a dataset that asked for less', () => {
  const [group] = rival10.attributeGroups;
  const without: DatasetSchema = {
    ...rival10,
    attributes: rival10.attributes.slice(1),
    attributeGroups: rival10.attributeGroups.map((each) => ({
      ...each,
      attributes: each.attributes.filter((id) => id !== rival10.attributes[0]?.id),
    })),
  };
  const present = rival10.attributeGroups.flatMap(({ min, attributes }) => attributes.slice(0, min));
  const filled = { ...street(null), attributes: { ...imported, present } };

  it('stays open: what nobody asked about is not absent', () => {
    const { labels, leftOut } = new Translator(rival10, without).image(filled);
    expect(labels).toEqual([]);
    expect(leftOut.join()).toMatch(/does not state whether ".+" is present, so the form stays open/);
  });

  it('is taken over where it answers everything', () => {
    const { labels, leftOut } = new Translator(rival10, rival10).image(filled);
    expect(leftOut).toEqual([]);
    expect(labels).toMatchObject([{ stage: 'attributes', value: { kind: 'attributes' } }]);
    expect(group).toBeDefined();
  });
});

it('two annotations of one part of an object are one mask, and none is lost', () => {
  const image = street('car', 'car');
  const [first] = image.objects;
  const wheel = (x: number) => ({
    ...imported,
    mask: rasterizePolygons([[x, 0, x + 1, 0, x + 1, 1, x, 1]], 3, 4),
  });
  const part = cityscapesParts.parts.find(({ classes }) => classes.includes('car'))?.id ?? '';
  first?.parts.push({ ...wheel(0), id: part }, { ...wheel(3), id: part });
  const { labels, leftOut } = new Translator(cityscapesParts, cityscapesParts).image(image);
  expect(leftOut).toEqual([]);
  expect(labels.map(({ target, area }) => [target, area])).toEqual([
    ['', 12],
    [part, 2],
  ]);
});
