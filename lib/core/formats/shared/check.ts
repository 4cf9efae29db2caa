import type { Dataset, DatasetImage, ObjectLabel } from '../dataset';
import type { Check, Problem } from '../format';
import { type Annotation, listAnnotations } from './annotations';
import { createLabelTable, type LabelTable } from './vocabulary';
import { fileNameOf, findNameProblem, NameCheck } from './write-files';

const MAX_EXAMPLES = 20;

/** Collects problems by message, with the first examples of each. */
export class Problems {
  readonly #byWhat = new Map<string, { examples: string[]; count: number }>();

  add(what: string, example: string): void {
    const known = this.#byWhat.get(what) ?? { examples: [], count: 0 };
    this.#byWhat.set(what, known);
    known.count += 1;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(example);
  }

  list(): Problem[] {
    return [...this.#byWhat].map(([what, found]) => ({ what, ...found }));
  }
}

interface CheckHooks {
  /** Checks a name for characters that this format cannot store, in addition to the file system rules. */
  name?: (name: string) => string | null;
  image?: (image: DatasetImage, annotations: readonly Annotation[], problems: Problems) => void;
}

/** Runs the checks that all general formats share, in one pass over the dataset. */
export async function checkDataset(dataset: Dataset, hooks: CheckHooks = {}): Promise<Problems> {
  const problems = new Problems();
  if (dataset.count === 0)
    problems.add('The version has no images. Freeze one that has, or choose another filter.', dataset.name);
  for (const split of dataset.splits) {
    const wrong = findNameProblem(split);
    if (wrong) problems.add(`The name of a split ${wrong}.`, split);
  }
  const names = new NameCheck(problems, hooks.name);
  const table = createLabelTable(dataset.schema);
  for await (const image of dataset.images()) {
    names.check(fileNameOf(image));
    const annotations = listAnnotations(image);
    for (const annotation of annotations) checkAnnotation(image, annotation, table, problems);
    const isUnnamed = ({ className, outline }: ObjectLabel) =>
      outline && className === null && !outline.flags?.includes('crowd');
    if (image.hasMasks && image.objects.some(isUnnamed))
      problems.add(
        'An object has an outline and no class. Give the image a class, or leave it out.',
        image.name,
      );
    hooks.image?.(image, annotations, problems);
  }
  return problems;
}

function checkAnnotation(
  image: DatasetImage,
  annotation: Annotation,
  table: LabelTable,
  problems: Problems,
): void {
  const { mask, kind, id } = annotation;
  if (mask.width !== image.width || mask.height !== image.height)
    problems.add(
      'A mask is not of the size of its image, so that it lies outside of it.',
      `${image.name}: ${id}, ${mask.width} × ${mask.height} on ${image.width} × ${image.height}`,
    );
  if (!table.labels.some((label) => label.kind === kind && label.id === id))
    problems.add('A label is of something that the schema does not have.', `${image.name}: ${kind} ${id}`);
}

/** Losses that several formats share. */
export const losses = {
  provenance: 'Where a label comes from and how sure it is are left out.',
  overlap: 'A pixel has one label: where masks overlap, the part that lies on top keeps it.',
  attributes: 'Attributes of an image and their masks are left out.',
  parts: 'Masks of parts are left out.',
  absent: 'That a part was looked for and not found is left out.',
  facts: 'Class, WordNet id, group and columns of an image are left out.',
} as const;

export const toCheck = (problems: Problems, losses: readonly string[]): Check => ({
  refusals: problems.list(),
  losses,
});
