import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SourceTree } from '@/lib/core/formats/format';
import type { Mapping } from '@/lib/core/formats/mapping';
import {
  type AnnotationCounts,
  type CategoryCount,
  countsCsv,
  parseMapping,
  writeMapping,
} from '@/lib/core/formats/mapping';
import type { DatasetSchema } from '@/lib/core/schema';
import { authorise } from '@/lib/services/access';
import {
  type DescribedProject,
  describeProject,
  type ImportPlan,
  namesOf,
  planImport,
} from '@/lib/services/datasets/import/plan-import';
import { PreviewChoice, renderPreviews } from '@/lib/services/datasets/import/render-previews';
import { chooseFormat } from '@/lib/services/datasets/import/source-trees';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { UsageError } from '../command';
import { commandLine, enterDatabase } from '../database/enter';
import type { Remote } from '../remote';
import { dim, table, yellow } from '../terminal';

export interface PlanRequest {
  tree: SourceTree;
  format?: string;
  mapping?: Mapping;
  className?: string;
  /** Name of the given folder or file, and of the project. */
  names: readonly string[];
  project: DescribedProject | null;
  /** Folder for overlay pictures. */
  previews?: string;
}

/** Describes what an import would do. Writes nothing but the preview pictures. */
export async function planHere(request: PlanRequest): Promise<ImportPlan> {
  const { tree, mapping, className, names, project, previews } = request;
  const { format, because } = await chooseFormat(tree, request.format ?? mapping?.format);
  const choice = new PreviewChoice();
  const plan = await planImport(tree, {
    format,
    because,
    mapping,
    className,
    project,
    names: [...names, ...namesOf(tree)],
    onImage: (image) => choice.add(image),
  });
  if (previews === undefined) return plan;
  await mkdir(previews, { recursive: true });
  try {
    const rendered = await renderPreviews(tree, choice.images(), plan);
    for (const [index, { picture }] of rendered.entries())
      if (picture) await writeFile(path.join(previews, `${String(index + 1).padStart(2, '0')}.jpg`), picture);
  } finally {
    picturePool().close();
  }
  return plan;
}

/** Loads the project data that a proposal depends on, from the local database or a remote instance. */
export async function projectForPlan(slug: string, remote: Remote | undefined): Promise<DescribedProject> {
  if (remote) {
    const found = await remote.ask<{
      name: string;
      state: string;
      schema: DatasetSchema | null;
      counts: { images: number };
    }>(`/projects/${encodeURIComponent(slug)}`);
    const isEmptyDraft = found.state === 'draft' && found.counts.images === 0;
    return { name: found.name, schema: found.schema, isEmptyDraft };
  }
  await using entered = await enterDatabase();
  const access = await authorise(entered.db, commandLine, 'project.read', { project: slug });
  return describeProject(entered.db, access.project.id);
}

export function readMappingFile(file: string): Mapping {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  try {
    return parseMapping(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes the mapping. Never overwrites a file. */
export function saveMapping(file: string, mapping: Mapping): void {
  if (existsSync(file))
    throw new UsageError(`${file} already exists. Pass --save <file> to use another name.`);
  writeFileSync(file, writeMapping(mapping));
}

export function planText({
  formatName,
  because,
  categories,
  mapping,
  images,
  totals,
  remarks,
  isComplete,
}: ImportPlan): string {
  const rows = categories
    .filter(({ annotations }) => annotations > 0)
    .map(({ category, annotations, unreadable, images: own, target, reason }) => [
      category,
      String(annotations),
      unreadable > 0 ? yellow(String(unreadable)) : '0',
      String(own),
      target,
      dim(reason),
    ]);
  const unused = categories.length - rows.length;
  return [
    `${formatName}: ${because}.`,
    '',
    table(
      ['category', 'annotations', 'without mask', 'images', 'becomes', 'reason'],
      rows,
      'No annotations.',
    ),
    ...(unused > 0 ? [dim(`${unused} more without annotations.`)] : []),
    '',
    `Class of an image: ${ruleText(mapping.class)}. Split: ${ruleText(mapping.split)}.`,
    `Images: ${images}${isComplete ? '' : ' or more'}`,
    `Annotations: ${totals.annotations} = ${totals.imported} to import + ${totals.skipped} to skip`,
    ...remarks.map((remark) => yellow(remark)),
  ].join('\n');
}

const ruleText = (rule: Mapping['class'] | Mapping['split']): string => {
  const { from, ...rest } = rule;
  const detail = Object.values(rest).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return [from, ...detail].join(' ');
};

/** Formats the annotation counts of each category as a table. */
export const categoriesText = (categories: readonly CategoryCount[], total: AnnotationCounts): string =>
  table(
    ['category', 'becomes', 'source', 'written', 'merged', 'already imported', 'skipped', 'reasons'],
    [
      ...categories
        .filter((each) => each.total > 0)
        .map((each) => [each.category, each.target, ...numbers(each), reasonsOf(each)]),
      ['total', '', ...numbers(total), ''],
    ],
    '',
  );

const numbers = ({ total, written, merged, known, skipped }: AnnotationCounts): string[] =>
  [total, written, merged, known, skipped].map(String);

const reasonsOf = ({ reasons }: CategoryCount): string =>
  reasons.map(({ reason, count }) => `${count} × ${reason}`).join('; ');

export const writeReport = (
  file: string,
  categories: readonly CategoryCount[],
  total: AnnotationCounts,
): void => writeFileSync(file, countsCsv(categories, total));
