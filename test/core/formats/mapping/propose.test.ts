import { describe, expect, it } from 'vitest';
import { proposeMapping } from '@/lib/core/formats/mapping';
import { foldNumbers } from '@/lib/core/formats/mapping/fold-numbers';
import type { CategoryMapping } from '@/lib/core/formats/mapping/mapping';
import { normalizeName, objectFromNames, withoutSide } from '@/lib/core/formats/mapping/names';
import { collectStatistics, type SourceStatistics } from '@/lib/core/formats/mapping/statistics';
import type { RawCategory, RawImage, RawSource } from '@/lib/core/formats/shared/raw-source';
import { rawImage } from '@/lib/core/formats/shared/raw-source';
import { Notes, parseSplit } from '@/lib/core/formats/shared/read-tree';
import { rasterizeBox } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema';
import { handmade } from '../support/dataset-files';

type Box = [category: string, x: number, y: number, width: number, height: number];

const tree = handmade({});
const photo = (path: string, ...boxes: Box[]): RawImage => ({
  ...rawImage(tree, path, null),
  annotations: boxes.map(([category, ...box]) => ({
    category,
    instance: null,
    mask: () => rasterizeBox(box, 100, 100),
  })),
});

const sourceOf = (images: readonly RawImage[], categories: RawCategory[] = []): RawSource => ({
  origin: 'annotations.json',
  categories,
  known: null,
  notes: new Notes(),
  images: async function* () {
    yield* images;
  },
});

const statisticsOf = (images: readonly RawImage[], categories?: RawCategory[]) =>
  collectStatistics(sourceOf(images, categories));

interface Options {
  project?: DatasetSchema;
  names?: string[];
  className?: string;
}

function targetsOf(statistics: SourceStatistics, { project, ...options }: Options = {}) {
  const { mapping } = proposeMapping({ statistics, known: null, project: project ?? null, ...options });
  return Object.fromEntries(
    mapping.categories.map((entry) => {
      const { source, reason, count: _, ...target } = entry;
      expect(reason).toMatch(/^\S.*\.$/);
      return [source, target];
    }),
  );
}

const schema = (parts: string[], classes = ['car']): DatasetSchema => ({
  id: 'cars',
  name: 'Cars',
  description: 'Cars',
  classes: classes.map((id) => ({ id, name: id })),
  attributeGroups: [],
  attributes: [],
  parts: parts.map((id, zOrder) => ({ id, name: id, classes: ['car'], zOrder, colour: '#112233' })),
});

const repeat = (count: number, image: (index: number) => RawImage) => [...Array(count).keys()].map(image);

/** A car of touching parts, without an outline. */
const flat = (index: number) =>
  photo(
    `images/${index}.jpg`,
    ['hood', 20, 20, 30, 20],
    ['wheel', 20, 41, 10, 10],
    ['wheel', 40, 41, 10, 10],
    ['left_door', 51, 20, 20, 20],
  );

describe('a flat list of categories', () => {
  it('whose annotations always lie together is one object with parts, named after its folder', async () => {
    const targets = targetsOf(await statisticsOf(repeat(5, flat)), {
      names: ['car-parts', 'instances.json'],
    });
    expect(targets).toEqual({
      hood: { to: 'part', name: 'hood', of: ['car'] },
      wheel: { to: 'part', name: 'wheel', of: ['car'], numbered: true },
      left_door: { to: 'part', name: 'left_door', of: ['car'] },
    });
  });

  it('of single objects far apart stays a list of classes', async () => {
    const images = repeat(5, (i) =>
      photo(`${i}.jpg`, ['dog', 0, 0, 10, 10], ['cat', 80, 80, 10, 10], ['bird', 0, 80, 10, 10]),
    );
    const targets = targetsOf(await statisticsOf(images));
    expect(Object.values(targets).map(({ to }) => to)).toEqual(['class', 'class', 'class']);
  });

  it('becomes parts of the class that somebody states', async () => {
    const images = repeat(3, (i) => photo(`${i}.jpg`, ['hood', 0, 0, 10, 10], ['wheel', 80, 80, 10, 10]));
    const targets = targetsOf(await statisticsOf(images), { className: 'car' });
    expect(targets.hood).toEqual({ to: 'part', name: 'hood', of: ['car'] });
  });
});

it('records that all have another field and another tag do not fill the memory', async () => {
  const images = repeat(1100, (i) => ({
    ...photo(`${i}.jpg`),
    fields: { [`field${i}`]: 'x' },
    tags: [`tag${i}`],
  }));
  const { fields, tags } = await statisticsOf(images);
  expect(Object.keys(fields)).toHaveLength(200);
  expect(Object.keys(tags)).toHaveLength(1000);
});

it('instances of a part are counted against all objects of its classes', async () => {
  const image = (index: number) =>
    photo(
      `${index}.jpg`,
      ['car', 0, 0, 40, 40],
      ['car', 50, 50, 40, 40],
      ['car_door', 5, 5, 10, 10],
      ['car_door', 55, 55, 10, 10],
      ['car_wheel', 5, 20, 10, 10],
      ['car_wheel', 20, 20, 10, 10],
      ['car_wheel', 55, 70, 10, 10],
    );
  expect(targetsOf(await statisticsOf(repeat(4, image)))).toEqual({
    car: { to: 'class', name: 'car' },
    car_door: { to: 'part', name: 'car_door', of: ['car'] },
    car_wheel: { to: 'part', name: 'car_wheel', of: ['car'], numbered: true },
  });
});

describe('evidence', () => {
  it('a category that is always inside another one is its part, and one inside of that a sub-part', async () => {
    const images = repeat(4, (i) =>
      photo(
        `${i}.jpg`,
        ['person', 10, 10, 60, 80],
        ['arm', 15, 30, 20, 40],
        ['hand', 18, 60, 8, 8],
        ['tree', 75, 0, 20, 90],
      ),
    );
    expect(targetsOf(await statisticsOf(images))).toEqual({
      person: { to: 'class', name: 'person' },
      arm: { to: 'part', name: 'arm', of: ['person'] },
      hand: { to: 'part', name: 'hand', of: ['person'], parent: 'arm' },
      tree: { to: 'class', name: 'tree' },
    });
  });

  it('a drawn supercategory is the whole, and one that nobody drew is a kind of things', async () => {
    const images = repeat(3, (i) =>
      photo(`${i}.jpg`, ['dog', 0, 0, 20, 20], ['head', 50, 50, 5, 5], ['apple', 90, 0, 5, 5]),
    );
    const categories = [
      { name: 'dog', parent: 'animal' },
      { name: 'head', parent: 'dog' },
      { name: 'apple', parent: 'fruit' },
    ];
    const targets = targetsOf(await statisticsOf(images, categories));
    expect(targets.head).toEqual({ to: 'part', name: 'head', of: ['dog'] });
    expect(targets.apple?.to).toBe('class');
  });

  it('cyclic supercategories are ignored with a remark', async () => {
    const statistics = await statisticsOf(
      repeat(2, (i) => photo(`${i}.jpg`, ['a', 0, 0, 9, 9], ['b', 50, 50, 9, 9])),
      [
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'a' },
      ],
    );
    expect(targetsOf(statistics).a?.to).toBe('class');
    expect(proposeMapping({ statistics, known: null, project: null }).remarks.join()).toMatch(
      /"a", "b" form a cycle/,
    );
  });

  it('a name that begins with a class makes a part, and trailing numbers are instances', async () => {
    const images = repeat(3, (i) =>
      photo(
        `${i}.jpg`,
        ['plane', 0, 0, 60, 60],
        ['plane_engine_1', 5, 5, 5, 5],
        ['plane_engine_2', 20, 5, 5, 5],
        ['plane_tail', 30, 5, 9, 9],
      ),
    );
    const targets = targetsOf(await statisticsOf(images));
    expect(targets.plane_engine_2).toEqual({
      to: 'part',
      name: 'plane_engine',
      of: ['plane'],
      numbered: true,
      instance: 2,
    });
    expect(targets.plane_tail).toEqual({ to: 'part', name: 'plane_tail', of: ['plane'] });
  });

  it('a part on several places of one object is numbered, one on each object is not', async () => {
    const images = repeat(3, (i) =>
      photo(
        `${i}.jpg`,
        ['car', 0, 0, 40, 40],
        ['car', 50, 50, 40, 40],
        ['plate', 5, 5, 9, 9],
        ['plate', 55, 55, 9, 9],
      ),
    );
    expect(targetsOf(await statisticsOf(images)).plate).toEqual({ to: 'part', name: 'plate', of: ['car'] });
  });
});

describe('the schema of the project', () => {
  it('comes first: names match whatever their case, separators, plural and order', async () => {
    const images = repeat(3, flat);
    const project = schema(['Hood', 'door-left', 'wheels']);
    expect(targetsOf(await statisticsOf(images), { project })).toMatchObject({
      hood: { to: 'part', name: 'Hood', of: ['car'] },
      wheel: { to: 'part', name: 'wheels' },
      left_door: { to: 'part', name: 'door-left' },
    });
  });

  it('without sides takes both sides as one part', async () => {
    const images = repeat(3, flat);
    expect(
      targetsOf(await statisticsOf(images), { project: schema(['hood', 'wheel', 'door']) }).left_door,
    ).toEqual({
      to: 'part',
      name: 'door',
      of: ['car'],
    });
  });

  it('18 part names of a project with the class car are all found (0 of 3,884 were written)', async () => {
    const names = [
      'hood',
      'trunk',
      'front_left_door',
      'front_right_door',
      'wheel',
      'left_mirror',
      'right_mirror',
    ];
    const images = repeat(3, (i) =>
      photo(`${i}.jpg`, ...names.map((name, at): Box => [name, at * 12, 0, 10, 10])),
    );
    const targets = targetsOf(await statisticsOf(images), { project: schema(names) });
    for (const name of names) expect(targets[name]).toMatchObject({ to: 'part', name, of: ['car'] });
  });
});

describe('splits', () => {
  it('come from folders such as trainingset and testset', async () => {
    expect(
      ['trainingset', 'testset', 'validation', 'training_set', 'val2017', 'test'].map(parseSplit),
    ).toEqual(['train', 'test', 'val', 'train', 'val', 'test']);
    expect(['trainer', 'contest', 'valley', 'datasets'].map(parseSplit)).toEqual([null, null, null, null]);
    const images = repeat(4, (i) =>
      photo(`cars/${i % 2 ? 'testset' : 'trainingset'}/${i}.jpg`, ['dog', 0, 0, 9, 9]),
    );
    const { mapping } = proposeMapping({
      statistics: await statisticsOf(images),
      known: null,
      project: null,
    });
    expect(mapping.split).toEqual({ from: 'folder', names: { trainingset: 'train', testset: 'test' } });
  });

  it('are reported as missing if nothing states them', async () => {
    const statistics = await statisticsOf([photo('a.jpg', ['dog', 0, 0, 9, 9])]);
    expect(proposeMapping({ statistics, known: null, project: null }).remarks).toContain(
      'The dataset does not state splits.',
    );
  });
});

describe('names', () => {
  it.each([
    [['car-parts'], 'car'],
    [['instances_train.json', 'annotations'], null],
    [['dataset', 'Bird_Parts_Dataset_v2.zip'], 'bird'],
  ])('%j is about %s', (names, object) => expect(objectFromNames(names)).toBe(object));

  it('are compared by their words', () => {
    expect(normalizeName('Left_Doors')).toBe(normalizeName('door left'));
    expect(normalizeName('leftDoor2')).toBe(normalizeName('left-door 2'));
    expect(withoutSide('left_mirror')).toBe('mirror');
    expect(withoutSide('left')).toBeNull();
    expect(withoutSide('mirror')).toBeNull();
  });

  it('with numbers stay apart where numbers are all that tells them apart', () => {
    const part = (name: string): CategoryMapping => ({ source: name, to: 'part', name, of: ['car'] });
    const names = ['part_1', 'part_2', 'part_3'].map(part);
    expect(foldNumbers(names)).toEqual(names);
    const wheels = [part('wheel'), part('wheel_1'), part('hood')];
    expect(foldNumbers(wheels).map((entry) => ('instance' in entry ? entry.instance : 0))).toEqual([1, 2, 0]);
  });
});
