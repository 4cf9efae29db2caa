import { setImmediate } from 'node:timers/promises';
import type { Db } from '@/db';
import type { Mapping } from '@/lib/core/formats/mapping';
import type { Storage } from '@/lib/services/storage';
import { describeProject, type ImportPlan, namesOf, planImport } from './plan-import';
import { type Preview, PreviewChoice, renderPreviews } from './render-previews';
import { chooseFormat, openUploadTree, serverBudget } from './source-trees';

/** Maximum time for counting annotations in a request. Then the plan covers the images that were read. */
const COUNT_MS = 20_000;

/** Plans the import of an upload, with previews. Writes nothing. */
export async function planUploadImport(
  db: Db,
  storage: Storage,
  input: {
    projectId: string;
    uploadId: string;
    format?: string;
    mapping?: Mapping;
    className?: string;
    previews: boolean;
  },
): Promise<ImportPlan & { previews: Preview[] }> {
  const { projectId, uploadId, mapping, className } = input;
  const project = await describeProject(db, projectId);
  const tree = await openUploadTree(db, storage, uploadId);
  const { format, because } = await chooseFormat(tree, input.format ?? mapping?.format, serverBudget);
  const choice = new PreviewChoice();
  const until = Date.now() + COUNT_MS;
  const plan = await planImport(tree, {
    format,
    because,
    mapping,
    className,
    project,
    names: [...namesOf(tree), project.name],
    // Labels of a large file are read without waiting for anything: other requests get their turn here.
    canContinue: () => setImmediate(Date.now() < until),
    onImage: (image) => choice.add(image),
  });
  const previews = input.previews ? await renderPreviews(tree, choice.images(), plan) : [];
  return { ...plan, previews };
}
