import { invalid } from '@/lib/core/errors';
import { type Member, selectLabelled, sortSplits } from '@/lib/core/splits';
import type { Dataset, DatasetImage } from './dataset';
import { deriveLabels } from './derive';
import type { Options } from './format';

/** Another seed than that of splits: which images keep their masks must not follow from where they were dealt. */
const FRACTION_SEED = 'label fraction';

/** The dataset that a format gets to see: folds named, masks left out or changed, names replaced, as the options say. */
export async function prepareDataset(dataset: Dataset, options: Options): Promise<Dataset> {
  let prepared = applyFold(dataset, Number(options.fold));
  prepared = await applyFraction(prepared, Number(options.fraction));
  prepared = deriveLabels(prepared, options.labels as Parameters<typeof deriveLabels>[1]);
  return options.names === 'number' ? numberNames(prepared) : prepared;
}

const mapImages = (
  dataset: Dataset,
  change: (image: DatasetImage, position: number) => DatasetImage,
): Dataset => ({
  ...dataset,
  async *images() {
    let position = 0;
    for await (const image of dataset.images()) yield change(image, position++);
  },
});

function applyFold(dataset: Dataset, fold: number): Dataset {
  if (fold === 0) return dataset;
  const folds = sortSplits(dataset.splits.filter((split) => split.startsWith('fold-')));
  const test = folds[fold - 1];
  if (test === undefined)
    throw invalid(
      folds.length === 0
        ? 'The version was not split into folds: leave the option "fold" at 0.'
        : `The version has ${folds.length} folds: "fold" is a number from 1 to ${folds.length}.`,
    );
  const others = dataset.splits.filter((split) => !folds.includes(split));
  if (others.length > 0)
    throw invalid(
      `Beside its folds the version has ${others.join(', ')}: it is not said what becomes of them. Leave the option "fold" at 0.`,
    );
  // With two folds there is none to spare for validation.
  const val = folds.length > 2 ? folds[fold % folds.length] : undefined;
  const nameOf = (split: string) => (split === test ? 'test' : split === val ? 'val' : 'train');
  const named = mapImages(dataset, (image) => ({ ...image, split: nameOf(image.split) }));
  return { ...named, splits: val === undefined ? ['train', 'test'] : ['train', 'val', 'test'] };
}

async function applyFraction(dataset: Dataset, fraction: number): Promise<Dataset> {
  if (fraction >= 1) return dataset;
  if (!dataset.splits.includes('train'))
    throw invalid('A fraction is of the training images, and the version has no split called train.');
  const members: Member[] = [];
  for await (const image of dataset.images())
    if (image.split === 'train')
      members.push({ id: imageKey(image), className: image.className, groupKey: null });
  const kept = selectLabelled(members, [fraction], FRACTION_SEED).get(fraction);
  return mapImages(dataset, (image) =>
    image.split !== 'train' || (fraction > 0 && kept?.has(imageKey(image))) ? image : removeMasks(image),
  );
}

const imageKey = ({ name, picture }: DatasetImage): string => `${name}\n${picture.sha256}`;

const removeMasks = (image: DatasetImage): DatasetImage => ({
  ...image,
  attributeMasks: [],
  objects: [],
  original: image.original ?? { objects: image.objects },
  hasMasks: false,
});

function numberNames(dataset: Dataset): Dataset {
  const digits = Math.max(6, String(dataset.count).length);
  return mapImages(dataset, (image, position) => ({
    ...image,
    name: `${String(position + 1).padStart(digits, '0')}${extensionOf(image.name)}`,
  }));
}

const extensionOf = (name: string): string => /\.(?:jpe?g|png|webp|tiff?|bmp|gif)$/i.exec(name)?.[0] ?? '';
