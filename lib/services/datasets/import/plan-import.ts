import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import type { Format, SourceTree } from '@/lib/core/formats/format';
import {
  collectStatistics,
  type Mapping,
  openSource,
  type Proposal,
  proposeMapping,
  type SourceStatistics,
  schemaOfMapping,
} from '@/lib/core/formats/mapping';
import { declaredStatistics } from '@/lib/core/formats/mapping/statistics';
import type { RawImage, RawSource } from '@/lib/core/formats/shared/raw-source';
import { baseName } from '@/lib/core/formats/shared/read-tree';
import type { DatasetSchema } from '@/lib/core/schema';
import { convertMatFiles } from './convert-mat';

const { images, projects, schemaVersions } = tables;

export interface DescribedProject {
  name: string;
  schema: DatasetSchema | null;
  /** A draft without images can adopt the schema of a dataset. */
  isEmptyDraft: boolean;
}

/** The project data that a proposal uses. */
export async function describeProject(db: Db, projectId: string): Promise<DescribedProject> {
  const [row] = await db
    .select({
      name: projects.name,
      state: projects.state,
      schema: schemaVersions.document,
      hasImages: sql<boolean>`exists (select 1 from ${images} where ${images.projectId} = ${projectId} and ${images.state} <> 'derived')`,
    })
    .from(projects)
    .leftJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  return {
    name: row?.name ?? '',
    schema: row?.schema ?? null,
    isEmptyDraft: row?.state === 'draft' && !row.hasImages,
  };
}

/** Names of the top folder and of archives, which often name the depicted object. */
export function namesOf(tree: SourceTree): string[] {
  const tops = new Set(
    tree.paths.flatMap((path) => (path.includes('/') ? [path.split('/', 1)[0] ?? ''] : [])),
  );
  const labels = tree.paths.filter(
    (path) => /\.(json|xml|ya?ml)$/i.test(path) && path.split('/').length <= 2,
  );
  return [...(tops.size === 1 ? tops : []), ...labels.slice(0, 5).map(baseName)];
}

interface ProposalOptions {
  project: DescribedProject | null;
  names: readonly string[];
  className?: string;
  format?: string;
  canContinue?: () => boolean | Promise<boolean>;
  onImage?: (image: RawImage) => void;
  /** Read all images even if the meaning of the categories is fixed. */
  countAll?: boolean;
}

/** Collects statistics of a source and proposes a mapping. */
export async function proposeForSource(
  source: RawSource,
  { project, names, className, format, canContinue, onImage, countAll = false }: ProposalOptions,
): Promise<Proposal & { statistics: SourceStatistics }> {
  const isFixed = source.known !== null && !source.hasOtherCategories;
  const statistics =
    isFixed && !countAll
      ? declaredStatistics(source.categories)
      : await collectStatistics(source, {
          canContinue,
          onImage,
          ...(isFixed && { measuredImages: 0 }),
        });
  const about = { statistics, known: source.known, names, className, format, origin: source.origin };
  const matched = proposeMapping({ ...about, project: project?.schema ?? null });
  // The schema of an empty draft often comes from a template. It is used only if the names match.
  const isOther = project?.isEmptyDraft === true && !isMostlyMatched(matched.mapping, project.schema);
  const proposal = isOther ? proposeMapping({ ...about, project: null }) : matched;
  return { ...proposal, statistics };
}

function isMostlyMatched({ categories }: Mapping, schema: DatasetSchema | null): boolean {
  const classes = new Set(schema?.classes.map(({ id }) => id));
  const parts = new Set(schema?.parts.map(({ id }) => id));
  const matched = categories.filter(
    (entry) =>
      (entry.to === 'part' && parts.has(entry.name)) ||
      ((entry.to === 'class' || entry.to === 'stuff') && classes.has(entry.name)),
  );
  return matched.length * 2 >= categories.length;
}

/** Describes the target of each category: "part wheel of car". */
export function describeTargets(mapping: Mapping): (category: string) => string {
  const entries = new Map(mapping.categories.map((entry) => [entry.source, describeTarget(entry)]));
  return (category) => entries.get(category) ?? 'skip';
}

function describeTarget(entry: Mapping['categories'][number]): string {
  if (entry.to === 'ignore') return 'region to ignore';
  if (entry.to === 'skip') return 'skip';
  if (entry.to !== 'part') return `${entry.to} ${entry.name}`;
  const { name, of, parent, instance } = entry;
  const number = instance === undefined ? '' : ` (instance ${instance})`;
  return `part ${name}${number} of ${parent === undefined ? of.join(', ') : `${parent} of ${of.join(', ')}`}`;
}

export interface PlannedCategory {
  category: string;
  target: string;
  reason: string;
  annotations: number;
  /** Annotations that have no mask and cannot be imported. */
  unreadable: number;
  images: number;
  maxPerImage: number;
  samples: string[];
}

export interface ImportPlan {
  format: string;
  formatName: string;
  because: string;
  mapping: Mapping;
  schema: DatasetSchema;
  categories: PlannedCategory[];
  images: number;
  /** False if only the first images were read. */
  isComplete: boolean;
  /** Annotations that will be imported, and that will be skipped. */
  totals: { annotations: number; imported: number; skipped: number };
  folders: string[];
  fields: string[];
  /** Remarks to check before the import. */
  remarks: string[];
}

/** A plan of a large folder on the command line reads every file. */
const PLAN_TIMEOUT_MS = 60 * 60_000;

interface PlanInput extends Omit<ProposalOptions, 'format' | 'countAll'> {
  format: Format;
  because: string;
  /** A mapping to check instead of a proposal. */
  mapping?: Mapping;
}

/** Reads a dataset and describes what an import would do. Writes nothing. */
export async function planImport(tree: SourceTree, input: PlanInput): Promise<ImportPlan> {
  const { format, because, project } = input;
  try {
    using converted = convertMatFiles(tree, AbortSignal.timeout(PLAN_TIMEOUT_MS));
    const source = await openSource(format, converted.tree);
    const proposed = await proposeForSource(source, { ...input, format: format.id, countAll: true });
    const mapping = input.mapping ?? proposed.mapping;
    const schema = schemaOfMapping(mapping, source.known?.schema ?? null, source);
    return describePlan({
      format,
      because,
      mapping,
      schema,
      proposed,
      project,
      isGiven: input.mapping !== undefined,
    });
  } catch (error) {
    throw invalid(
      `The files cannot be read as ${format.name}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function describePlan(about: {
  format: Format;
  because: string;
  mapping: Mapping;
  schema: DatasetSchema;
  proposed: Proposal & { statistics: SourceStatistics };
  project: DescribedProject | null;
  isGiven: boolean;
}): ImportPlan {
  const { format, because, mapping, schema, proposed, project, isGiven } = about;
  const { statistics } = proposed;
  const entries = new Map(mapping.categories.map((entry) => [entry.source, entry]));
  const target = describeTargets(mapping);
  const categories = statistics.categories.map((category) => ({
    category: category.name,
    target: target(category.name),
    reason: entries.get(category.name)?.reason ?? 'The mapping does not list the category.',
    annotations: category.annotations,
    unreadable: category.unreadable,
    images: category.images,
    maxPerImage: category.maxPerImage,
    samples: category.samples,
  }));
  const annotations = categories.reduce((sum, each) => sum + each.annotations, 0);
  const skipped = categories.reduce((sum, { category, annotations: all, unreadable }) => {
    const entry = entries.get(category);
    return sum + (!entry || entry.to === 'skip' ? all : unreadable);
  }, 0);
  return {
    format: format.id,
    formatName: format.name,
    because,
    mapping,
    schema,
    categories,
    images: statistics.images,
    isComplete: statistics.isComplete,
    totals: { annotations, imported: annotations - skipped, skipped },
    folders: Object.keys(statistics.folders),
    fields: Object.keys(statistics.fields),
    remarks: [...(isGiven ? [] : proposed.remarks), ...strangers(mapping, schema, project)],
  };
}

/** Lists labels that do not fit a project that keeps its schema. */
function strangers(mapping: Mapping, schema: DatasetSchema, project: DescribedProject | null): string[] {
  if (!project?.schema || (project.isEmptyDraft && mapping.schema === 'dataset')) return [];
  const own = project.schema;
  const missing = (['classes', 'parts'] as const).flatMap((field) => {
    const ids = new Set(own[field].map(({ id }) => id));
    const used = schema[field].filter(({ id }) =>
      mapping.categories.some((entry) => 'name' in entry && entry.name === id),
    );
    return used.filter(({ id }) => !ids.has(id)).map(({ id }) => `"${id}"`);
  });
  return missing.length === 0
    ? []
    : [
        `The schema of the project lacks ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ` and ${missing.length - 10} more` : ''}: their labels will be skipped.`,
      ];
}
