import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import type { Format } from '@/lib/core/formats/format';
import { fileNameOf, findNameProblem } from '@/lib/core/formats/shared/write-files';
import { format as webdataset } from '@/lib/core/formats/webdataset';
import { emptyMask, fullMask } from '@/lib/core/mask';
import { pascalPart } from '@/lib/core/schema/presets';
import { datasetOf, sceneDataset } from '../../support/formats';
import { checked, imagesOf, partDataset } from './support/dataset-files';

const formatOf = (id: string) => formats.find((format) => format.id === id) as Format;

describe('before a byte is written', () => {
  it.each([
    ['apm-part-imagenet', 'part-imagenet'],
    ['part-imagenet', 'part-imagenet'],
    ['part-imagenet-seg', 'part-imagenet'],
    ['rival10', 'rival10'],
  ] as const)('%s refuses a WordNet id that would climb out of the folder', async (id, preset) => {
    const dataset = await sceneDataset(preset, 3, {
      classNames: [preset === 'rival10' ? 'dog' : 'Car'],
      change: (image, index) => (index === 0 ? { ...image, wnid: '../../etc' } : image),
    });
    expect((await checked(formatOf(id), dataset)).refused).toMatch(/eight digits.*\.\.\/\.\.\/etc/);
  });

  it.each([
    ['apm-part-imagenet', 'part-imagenet', 'Car'],
    ['part-imagenet', 'part-imagenet', 'Car'],
    ['apm-cityscapes', 'cityscapes-parts', 'car'],
    ['pascal-part', 'pascal-part', 'dog'],
  ] as const)(
    '%s names the option that merges parts, and no part that nobody drew',
    async (id, preset, name) => {
      const dataset = await sceneDataset(preset, 3, { classNames: [name] });
      for (const labels of ['objects', 'foreground']) {
        const { refused, refusals } = await checked(formatOf(id), dataset, {
          labels,
          ids: 'original',
        });
        expect(refusals[0]?.examples).toEqual([`labels=${labels}`]);
        expect(refused).not.toContain('A part is');
      }
      expect((await checked(formatOf('cityscapes'), dataset, { labels: 'objects' })).refused).not.toContain(
        'labels=',
      );
    },
  );

  it('RIVAL10 says how many images its loader does not open, and refuses when it opens none', async () => {
    const rival = formatOf('rival10');
    const three = await sceneDataset('rival10', 6, { classNames: ['dog'] });
    const { refusals, lost } = await checked(rival, three);
    expect(refusals).toEqual([]);
    expect(lost).toContain('2 of the images are in "val"');
    const none = await sceneDataset('rival10', 2, { classNames: ['dog'], splits: ['val'] });
    expect((await checked(rival, none)).refused).toMatch(/neither has an image.*val/);
  });

  it('PASCAL-Part refuses masks that no reader could hold', async () => {
    const made = { source: 'generator', confidence: 1 } as const;
    const [width, height] = [5000, 4100];
    const parts = pascalPart.parts.filter(({ classes }) => classes.includes('dog')).slice(0, 10);
    const image = (masks: number): DatasetImage => ({
      ...(huge as DatasetImage),
      width,
      height,
      objects: [
        {
          className: 'dog',
          instance: 1,
          outline: null,
          parts: parts.map(({ id }, i) => ({
            ...made,
            id,
            mask: i < masks ? fullMask(height, width) : emptyMask(height, width),
          })),
          absent: [],
        },
      ],
    });
    const [huge] = await imagesOf(await sceneDataset('pascal-part', 1, { classNames: ['dog'] }));
    const pascal = formatOf('pascal-part');
    // 20.5 MB a mask, and one for the whole dog; empty ones are not written.
    expect((await checked(pascal, datasetOf(pascalPart, [image(8)]))).refusals).toEqual([]);
    expect((await checked(pascal, datasetOf(pascalPart, [image(9)]))).refused).toMatch(/200 MB.*205 MB/);
  });

  it('the part-model code gets no split of Cityscapes out of which nothing is cut', async () => {
    const apm = formatOf('apm-cityscapes');
    const made = { source: 'generator', confidence: 1 } as const;
    // In val there is a bare outline of a car, as large as the picture.
    const dataset = await sceneDataset('cityscapes-parts', 3, {
      width: 160,
      height: 80,
      classNames: ['car'],
      change: (image) => ({
        ...image,
        objects: image.objects
          .slice(0, 1)
          .map((object) =>
            image.split === 'val'
              ? { ...object, outline: { ...made, mask: fullMask(image.height, image.width) }, parts: [] }
              : object,
          ),
      }),
    });
    const options = { 'min-area': 100, 'random-pad': false };
    expect((await checked(apm, dataset, options)).refusals).toEqual([]);
    const strict = { ...options, 'allow-missing-parts': false };
    expect((await checked(apm, dataset, strict)).refused).toMatch(/shows all its parts.*\(.*val/);
  });
});

describe('names that cannot be held', () => {
  it.each([
    ['a/b.jpg', /slash/],
    ['a\\b.jpg', /slash/],
    ['a\u0007b.jpg', /control/],
    ['a:b.jpg', /Windows/],
    ['what?.jpg', /Windows/],
    ['nul.jpg', /reserved/],
    ['COM1.tar.png', /reserved/],
    ['name. ', /dot or a space/],
    ['name.', /dot or a space/],
    ['..', /no name/],
    ['.jpg', /nothing before/],
    ['name .jpg', /dot or a space/],
    ['name..png', /dot or a space/],
    [`${'ä'.repeat(101)}.jpg`, /200 bytes/],
  ])('%j', (name, why) => {
    expect(findNameProblem(name)).toMatch(why);
  });

  it('leaves all others in peace', () => {
    for (const name of [
      'a.jpg',
      'n01440764_10026.JPEG',
      'Zürich 3 (2).png',
      '犬.webp',
      'console.jpg',
      '.hidden',
    ])
      expect(findNameProblem(name)).toBeNull();
  });
});

const general = formats.filter(({ kind }) => kind === 'general');

async function changed(change: (image: DatasetImage, index: number) => DatasetImage): Promise<Dataset> {
  const { schema, images } = await partDataset();
  const list: DatasetImage[] = [];
  for await (const image of images()) list.push(change(image, list.length));
  return datasetOf(schema, list);
}

async function refusalsOf(format: Format, dataset: Dataset): Promise<string> {
  const found = (await format.check(dataset, {})).refusals;
  return found.map(({ what, examples, count }) => `${count}: ${what} ${examples.join()}`).join('\n');
}

it('WebDataset refuses names that the first dot would cut', async () => {
  const dataset = await changed((image) => ({ ...image, name: `v1.${image.name}` }));
  expect(await refusalsOf(webdataset, dataset)).toMatch(/6: .*dot before/);
});

describe.each(general.map((format) => [format.id, format] as const))(
  '%s refuses before a byte is written',
  (_, format) => {
    const refusals = (dataset: Dataset) => refusalsOf(format, dataset);

    it('an empty version, and none that is fine', async () => {
      expect(await refusals(datasetOf((await partDataset()).schema, []))).toMatch(/no images/);
      expect(await refusals(await partDataset())).toBe('');
    });

    it('two images of one name, whatever the case and the ending', async () => {
      const names = ['Dog.jpg', 'dog.jpeg', 'x1.jpg', 'x2.jpg', 'x3.jpg', 'x4.jpg'];
      expect(
        await refusals(await changed((image, index) => ({ ...image, name: names[index] as string }))),
      ).toMatch(/^1: Two images have one name.*Dog\.jpg and dog\.jpeg$/);
    });

    it('names with a slash, and says how to get around it', async () => {
      const dataset = await changed((image) => ({ ...image, name: `folder/${image.name}` }));
      expect(await refusals(dataset)).toMatch(/^6: The name has a slash.*names=number/);
    });

    it('masks that are not of their image', async () => {
      const dataset = await changed((image, index) =>
        index === 0
          ? {
              ...image,
              objects: image.objects.map((object) => ({
                ...object,
                parts: object.parts.map((part) => ({ ...part, mask: fullMask(200, 300) })),
              })),
            }
          : image,
      );
      expect(await refusals(dataset)).toMatch(/outside of it.* 300 × 200 on 96 × 72/);
    });
  },
);

it('a file is called by what its bytes are', async () => {
  const image = (await changed((each) => each)).images()[Symbol.asyncIterator]();
  const { value } = await image.next();
  const named = (name: string, mediaType: string) =>
    fileNameOf({ ...(value as DatasetImage), name, picture: { sha256: '', mediaType } });
  expect(named('a.JPEG', 'image/jpeg')).toBe('a.JPEG');
  expect(named('a.webp', 'image/png')).toBe('a.png');
  expect(named('a.b.tif', 'image/png')).toBe('a.b.png');
  expect(named('plain', 'image/jpeg')).toBe('plain.jpg');
});
