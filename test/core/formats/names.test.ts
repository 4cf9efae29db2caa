import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import type { Format } from '@/lib/core/formats/format';
import { fileNameOf, nameProblem } from '@/lib/core/formats/names';
import { format as webdataset } from '@/lib/core/formats/webdataset';
import { fullMask } from '@/lib/core/mask';
import { datasetOf } from '../../support/formats';
import { partDataset } from './support/datasets';

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
    expect(nameProblem(name)).toMatch(why);
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
      expect(nameProblem(name)).toBeNull();
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
