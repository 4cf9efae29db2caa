import type { Dataset, DatasetImage } from '../dataset';
import { fileNameOf, NameCheck, nameProblem } from '../names';
import { Problems } from '../problems';
import { type LabelTable, labelTable } from './label-table';
import { type Thing, thingsOf } from './things';

export interface CheckHooks {
  /** What this format cannot hold in a name, beside what no file system can. */
  name?: (name: string) => string | null;
  image?: (image: DatasetImage, things: readonly Thing[], problems: Problems) => void;
}

/** What every general format asks of a dataset, in one pass. */
export async function checkAll(dataset: Dataset, hooks: CheckHooks = {}): Promise<Problems> {
  const problems = new Problems();
  if (dataset.count === 0)
    problems.add('The version has no images. Freeze one that has, or choose another filter.', dataset.name);
  for (const split of dataset.splits) {
    const wrong = nameProblem(split);
    if (wrong) problems.add(`The name of a split ${wrong}.`, split);
  }
  const names = new NameCheck(problems, hooks.name);
  const table = labelTable(dataset.schema);
  for await (const image of dataset.images()) {
    names.see(fileNameOf(image));
    const things = thingsOf(image);
    for (const thing of things) checkThing(image, thing, table, problems);
    if (image.hasMasks && image.objects.some(({ className, outline }) => outline && className === null))
      problems.add(
        'An object has an outline and no class. Give the image a class, or leave it out.',
        image.name,
      );
    hooks.image?.(image, things, problems);
  }
  return problems;
}

function checkThing(image: DatasetImage, thing: Thing, table: LabelTable, problems: Problems): void {
  const { mask, kind, id } = thing;
  if (mask.width !== image.width || mask.height !== image.height)
    problems.add(
      'A mask is not of the size of its image, so that it lies outside of it.',
      `${image.name}: ${id}, ${mask.width} × ${mask.height} on ${image.width} × ${image.height}`,
    );
  if (!table.labels.some((label) => label.kind === kind && label.id === id))
    problems.add('A label is of something that the schema does not have.', `${image.name}: ${kind} ${id}`);
}
