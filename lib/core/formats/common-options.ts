import type { FormatOption } from './format';

/** Options of every export, applied to the dataset before the format sees it (see prepare.ts). */
export const commonOptions: readonly FormatOption[] = [
  {
    name: 'labels',
    kind: 'choice',
    says: 'Which masks are written.',
    values: [
      { value: 'parts', says: 'Parts as they were drawn.' },
      { value: 'boxes', says: 'Every part as its tight filled rectangle.' },
      { value: 'objects', says: 'All parts of an object merged into one.' },
      { value: 'foreground', says: 'One mask for everything that is no background.' },
    ],
    otherwise: 'parts',
  },
  {
    name: 'fraction',
    kind: 'number',
    says: 'Share of the training images that keep their masks; nested, class by class. The rest keeps its class only.',
    min: 0,
    max: 1,
    otherwise: 1,
  },
  {
    name: 'fold',
    kind: 'number',
    says: 'Of a version split into k folds: the fold that is the test set; the next one validates, the others train. 0 leaves the folds as they are.',
    min: 0,
    max: 100,
    isWhole: true,
    otherwise: 0,
  },
  {
    name: 'names',
    kind: 'choice',
    says: 'What files are called.',
    values: [
      { value: 'keep', says: 'As the images are; names that the format cannot hold are refused.' },
      { value: 'number', says: 'By number, 000001 and on; names.csv says which is which.' },
    ],
    otherwise: 'keep',
  },
];
