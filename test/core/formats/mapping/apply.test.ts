import { describe, expect, it } from 'vitest';
import {
  Account,
  countsCsv,
  type MappedImage,
  type Mapping,
  MappingApplier,
  parseMapping,
  schemaOfMapping,
  writeMapping,
} from '@/lib/core/formats/mapping';
import {
  type RawAnnotation,
  type RawImage,
  rawImage,
  unreadable,
} from '@/lib/core/formats/shared/raw-source';
import { Notes } from '@/lib/core/formats/shared/read-tree';
import { area, rasterizeBox } from '@/lib/core/mask';
import { handmade } from '../support/dataset-files';

const mapping = (categories: Mapping['categories'], rules: Partial<Mapping> = {}): Mapping => ({
  version: 1,
  schema: 'dataset',
  class: { from: 'labels' },
  split: { from: 'labels' },
  groups: 'pieces',
  categories,
  ...rules,
});

const street = mapping([
  { source: 'car', to: 'class', name: 'car' },
  { source: 'wheel', to: 'part', name: 'wheel', of: ['car'], numbered: true },
  { source: 'wheel_2', to: 'part', name: 'wheel', of: ['car'], numbered: true, instance: 2 },
  { source: 'tyre', to: 'part', name: 'wheel', of: ['car'], numbered: true, instance: 1 },
  { source: 'rust', to: 'part', name: 'rust', of: ['car'], merge: true },
  { source: 'road', to: 'stuff', name: 'road' },
  { source: 'cars', to: 'crowd', name: 'car' },
  { source: 'void', to: 'ignore' },
  { source: 'watermark', to: 'skip' },
  { source: 'dent', to: 'attribute', name: 'dented' },
]);

type Given = [category: string, x: number, width: number, more?: Partial<RawAnnotation>];

const annotation = ([category, x, width, more]: Given): RawAnnotation => ({
  category,
  instance: null,
  mask: () => rasterizeBox([x, 0, width, 10], 10, 100),
  ...more,
});

const photo = (annotations: RawAnnotation[], more: Partial<RawImage> = {}): RawImage => ({
  ...rawImage(handmade({}), 'trainingset/fast_cars/a.jpg', null),
  annotations,
  ...more,
});

async function apply(given: Mapping, image: RawImage, lists = new Map<string, string>()) {
  const schema = schemaOfMapping(given, null, { origin: 'a.json' });
  const notes = new Notes();
  const mapped = await new MappingApplier({ mapping: given, schema, lists }).image(image, notes);
  return { schema, notes: notes.list, mapped };
}

describe('a mapping', () => {
  it('makes objects, instances, stuff, crowds, regions to ignore and attributes', async () => {
    const { schema, mapped } = await apply(
      street,
      photo(
        (
          [
            ['road', 0, 100],
            ['car', 50, 20],
            ['car', 0, 40],
            ['wheel_2', 20, 5],
            ['tyre', 2, 5],
            ['wheel', 55, 5],
            ['cars', 80, 10],
            ['void', 95, 5],
            ['dent', 10, 2],
          ] as Given[]
        ).map(annotation),
      ),
    );
    expect(mapped.className).toBe('car');
    expect(
      mapped.objects.map(({ className, instance, outline, parts }) => [
        className,
        instance,
        outline && area(outline.mask) / 10,
        outline?.flags,
        parts.map(({ id, mask, instances }) => [id, (instances ?? [mask]).map((each) => area(each) / 10)]),
      ]),
    ).toEqual([
      ['car', 1, 40, undefined, [['wheel', [5, 5]]]],
      ['car', 2, 20, undefined, [['wheel', [5]]]],
      ['car', 3, 10, ['crowd'], []],
      ['road', 4, 100, undefined, []],
      [null, 5, 5, ['crowd'], []],
    ]);
    // "tyre" is instance 1 and "wheel_2" instance 2, whatever their order in the file.
    const [first] = mapped.objects[0]?.parts[0]?.instances ?? [];
    expect(first && [...first.toggles][0]).toBe(20);
    expect(mapped.attributeMasks.map(({ id }) => id)).toEqual(['dented']);
    expect(schema.classes).toEqual([
      { id: 'car', name: 'car' },
      { id: 'road', name: 'road', kind: 'stuff' },
    ]);
    expect(schema.parts.map(({ id, numbered }) => [id, numbered])).toEqual([
      ['wheel', true],
      ['rust', undefined],
    ]);
  });

  it('merges only what it names: pieces of a group, and parts marked as merged', async () => {
    const { mapped } = await apply(
      street,
      photo([
        annotation(['rust', 0, 5]),
        annotation(['rust', 20, 5]),
        annotation(['car', 0, 10, { group: 3 }]),
        annotation(['car', 20, 10, { group: 3 }]),
        annotation(['car', 50, 10]),
      ]),
    );
    expect(mapped.objects.map(({ outline }) => outline && area(outline.mask) / 10)).toEqual([20, 10]);
    expect(mapped.objects[0]?.parts[0]?.instances).toBeUndefined();
    const origins = [...mapped.origins.values()].flat();
    expect(origins).toHaveLength(5);
    expect(
      origins
        .filter(({ isMerged }) => isMerged)
        .map(({ category }) => category)
        .sort(),
    ).toEqual(['car', 'rust']);
    const apart = await apply(
      { ...street, groups: 'instances' },
      photo([annotation(['car', 0, 10, { group: 3 }]), annotation(['car', 20, 10, { group: 3 }])]),
    );
    expect(apart.mapped.objects).toHaveLength(2);
  });

  it('says why an annotation is skipped', async () => {
    const { mapped, notes } = await apply(
      street,
      photo([
        annotation(['watermark', 0, 5]),
        annotation(['sky', 0, 5]),
        unreadable('car', 'shapes of type "line"'),
        { ...annotation(['car', 0, 5]), mask: () => Promise.reject(new Error('masks that are broken')) },
      ]),
    );
    expect(mapped.objects).toEqual([]);
    expect(mapped.skipped).toEqual([
      { category: 'watermark', reason: 'the mapping skips the category' },
      { category: 'sky', reason: 'the mapping does not list the category' },
      { category: 'car', reason: 'shapes of type "line"' },
      { category: 'car', reason: 'masks that are broken' },
    ]);
    expect(notes.join()).toMatch(/"sky".*type "line".*broken/);
  });

  it.each([
    ['labels', { from: 'labels' }, 'car'],
    ['folder', { from: 'folder' }, 'fast_cars'],
    ['field', { from: 'field', field: 'kind' }, 'car'],
    ['constant', { from: 'constant', name: 'van' }, 'van'],
    ['largest object', { from: 'largest-object' }, 'car'],
  ] as const)('takes the class of an image from: %s', async (_, rule, className) => {
    const image = photo([annotation(['road', 0, 90]), annotation(['car', 0, 5])], {
      fields: { kind: 'Cars' },
    });
    expect((await apply({ ...street, class: rule }, image)).mapped.className).toBe(className);
  });

  it.each([
    ['labels, else folders', { from: 'labels' }, 'train'],
    ['folders', { from: 'folder', names: { fast_cars: 'test' } }, 'test'],
    ['lists', { from: 'lists', files: { val: 'val.txt' } }, 'val'],
    ['a field', { from: 'field', field: 'fold' }, '3'],
    ['a constant', { from: 'constant', name: 'train' }, 'train'],
    ['nothing', { from: 'none' }, null],
  ] as const)('takes the split of an image from: %s', async (_, rule, split) => {
    const image = photo([], { fields: { fold: '3' } });
    const lists = new Map([['a', 'val']]);
    expect((await apply({ ...street, split: rule as Mapping['split'] }, image, lists)).mapped.split).toBe(
      split,
    );
  });

  it('survives its YAML file', () => {
    const text = writeMapping(street);
    expect(text).toMatch(/^# .*\n.*\nversion: 1\n/);
    expect(parseMapping(text)).toEqual(street);
    const odd = mapping([{ source: 'no: "x"\n#', to: 'class', name: '1' }]);
    expect(parseMapping(writeMapping(odd))).toEqual(odd);
  });

  it.each([
    ['categories: [', /not valid YAML/],
    ['version: 2\ncategories: []', /version/],
    ['version: 1\ncategories:\n- {source: a, to: class}', /categories\.0\.name/],
    ['version: 1\ncategories:\n- {source: a, to: skip}\n- {source: a, to: skip}', /"a" appears twice/],
    ['version: 1\ncategories:\n- {source: a, to: part, name: p, of: [car], colour: red}', /colour/],
    ['a: &a [1]\nb: [*a, *a]', /./],
  ])('that is broken is refused in one sentence: %j', (text, problem) => {
    expect(() => parseMapping(text)).toThrow(problem);
  });
});

describe('outlines with the number of one object', () => {
  const numbered = (...[category, x, width]: Given) => annotation([category, x, width, { instance: 1 }]);
  const originsOf = ({ origins }: MappedImage) => [...origins.values()].flat();

  it('are objects of their own if they are of several classes, so that none is lost', async () => {
    const { mapped } = await apply(
      street,
      photo([numbered('car', 0, 40), numbered('road', 0, 100), numbered('wheel', 5, 5)]),
    );
    expect(
      mapped.objects.map(({ className, instance, outline, parts }) => [
        className,
        instance,
        outline && area(outline.mask) / 10,
        parts.map(({ id }) => id),
      ]),
    ).toEqual([
      ['car', 1, 40, ['wheel']],
      ['road', 2, 100, []],
    ]);
    expect(originsOf(mapped)).toHaveLength(3);
  });

  it('are counted once if they are merged into one', async () => {
    const { mapped } = await apply(street, photo([numbered('car', 0, 10), numbered('car', 20, 10)]));
    expect(mapped.objects.map(({ outline }) => outline && area(outline.mask) / 10)).toEqual([20]);
    expect(originsOf(mapped)).toEqual([{ category: 'car' }, { category: 'car', isMerged: true }]);
  });
});

it('a folder called "constructor" is no split', async () => {
  const rules = { split: { from: 'folder' as const, names: { trainingset: 'train' } } };
  const image = photo([], { path: 'trainingset/constructor/a.jpg' });
  expect((await apply(mapping(street.categories, rules), image)).mapped.split).toBe('train');
});

describe('the account of annotations', () => {
  it('adds up by category, and writes a table', () => {
    const account = new Account((category) => `class ${category}`);
    account.expect([{ category: 'a' }, { category: 'a' }, { category: 'a' }, { category: 'b' }]);
    account.written([{ category: 'a' }, { category: 'a', isMerged: true }]);
    account.skipped([{ category: 'a' }], 'annotations of area 0');
    account.known([{ category: 'b' }]);
    const { categories, annotations } = account.result();
    expect(annotations).toEqual({ total: 4, written: 1, merged: 1, known: 1, skipped: 1 });
    expect(countsCsv(categories, annotations)).toBe(
      [
        'category,target,total,written,merged,already imported,skipped,reasons',
        'a,class a,3,1,1,0,1,1 × annotations of area 0',
        'b,class b,1,0,0,1,0,',
        '(total),,4,1,1,1,1,',
        '',
      ].join('\n'),
    );
  });

  it('fails if an annotation is lost or counted twice', () => {
    const lost = new Account();
    lost.expect([{ category: 'a' }, { category: 'a' }]);
    lost.written([{ category: 'a' }]);
    expect(() => lost.result()).toThrow('2 annotations of "a" are not 1 written');
    const twice = new Account();
    twice.expect([{ category: 'a' }]);
    twice.written([{ category: 'a' }]);
    twice.skipped([{ category: 'a' }], 'x');
    expect(() => twice.result()).toThrow();
  });
});
