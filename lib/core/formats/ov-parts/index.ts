import { isEmpty } from '@/lib/core/mask';
import type { Dataset } from '../dataset';
import type { Check, Format, Options } from '../format';
import { toCheck } from '../shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from '../shared/check-part-layout';
import { stemOf } from '../shared/write-files';
import type { Layout } from './layout';
import { detectLayout, readLayout } from './read';
import { ade20kPart234, pascalPart116 } from './tables';
import { chooseTaxonomy } from './taxonomy';
import { writeLayout } from './write';

const pascal: Layout = {
  benchmark: pascalPart116,
  ignore: 255,
  hasInstances: false,
  folder: (split) => split,
  splitOf: (folder) => folder,
};

const FOLDERS: Readonly<Record<string, string>> = { train: 'training', val: 'validation' };
const ade20k: Layout = {
  benchmark: ade20kPart234,
  ignore: 65_535,
  hasInstances: true,
  folder: (split) => FOLDERS[split] ?? split,
  splitOf: (folder) => Object.entries(FOLDERS).find(([, name]) => name === folder)?.[0] ?? folder,
};

const taxonomyOption = (name: string): Format['options'][number] => ({
  name: 'taxonomy',
  kind: 'choice',
  description: 'Which numbers classes and parts have in the maps.',
  values: [
    {
      value: 'auto',
      description: `Those of ${name} if it has all classes and parts of the project, else the project’s.`,
    },
    { value: 'benchmark', description: `Those of ${name}; other labels are refused.` },
    {
      value: 'project',
      description: 'Numbers in the order of the project’s schema; classes.json lists them.',
    },
  ],
  defaultValue: 'auto',
});

const checkLayout = (layout: Layout, name: string) =>
  async function check(dataset: Dataset, options: Options): Promise<Check> {
    const drawn = excludeUndrawn(dataset);
    const taxonomy = chooseTaxonomy(dataset.schema, layout.benchmark, options.taxonomy);
    let outside = 0;
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: dataset.schema,
        readers: 'code that reads OV-PARTS',
        fileName: (image) => `${stemOf(image.name)}.jpg`,
        name: (fileName) =>
          !layout.hasInstances && stemOf(fileName).includes('part')
            ? 'has "part" in it, which the loader replaces to find the map of objects'
            : null,
        needsMasks: true,
        image(image, found) {
          if (!['train', 'val'].includes(image.split)) outside += 1;
          for (const { className, outline, parts } of image.objects) {
            if (className === null) continue;
            if (outline && !isEmpty(outline.mask) && taxonomy.classIndex(className) === undefined)
              found.add(`${name} has no such class. Choose taxonomy=project.`, `${image.name}: ${className}`);
            for (const { id } of parts)
              if (taxonomy.partIndex(className, id) === undefined)
                found.add(
                  `${name} has no such part. Choose taxonomy=project.`,
                  `${image.name}: ${className}, ${id}`,
                );
          }
        },
      },
      options,
    );
    const values = Math.max(taxonomy.classes.length, taxonomy.parts.length);
    if (values > layout.ignore)
      problems.add(`The maps of the layout have ${layout.ignore} numbers.`, `${values} classes or parts`);
    return toCheck(problems, [
      ...drawn.losses(),
      ...(taxonomy.isBenchmark
        ? []
        : ['Classes and parts have numbers of their own: replace the lists in the loaders by classes.json.']),
      ...(outside > 0 ? [`${outside} images are in splits that the loaders do not open.`] : []),
      ...(layout.hasInstances ? [] : [layoutLosses.instances]),
      'Objects without an outline get the union of their parts; the class of an image is that of its largest object.',
      layoutLosses.overlap,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  };

export const pascalPart116Format: Format = {
  id: 'pascal-part-116',
  name: 'Pascal-Part-116',
  summary: 'The layout of OV-PARTS for detectron2: a map of object classes and a map of parts per image.',
  kind: 'own layout',
  holds: ['stuff'],
  holdsClasses: false,
  options: [taxonomyOption('Pascal-Part-116')],
  check: checkLayout(pascal, 'Pascal-Part-116'),
  write: writeLayout(pascal),
  reader: { detect: detectLayout(pascal), read: readLayout(pascal) },
};

export const ade20kPart234Format: Format = {
  id: 'ade20k-part-234',
  name: 'ADE20K-Part-234',
  summary:
    'The layout of OV-PARTS with several objects per class: COCO files of objects and a map of parts per image.',
  kind: 'own layout',
  holds: ['stuff', 'crowd'],
  holdsClasses: false,
  options: [taxonomyOption('ADE20K-Part-234')],
  check: checkLayout(ade20k, 'ADE20K-Part-234'),
  write: writeLayout(ade20k),
  reader: { detect: detectLayout(ade20k), read: readLayout(ade20k) },
};
