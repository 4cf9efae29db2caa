import { formatCount } from '@/lib/core/format';
import { type DatasetSchema, MAX_ENTRIES } from '@/lib/core/schema/types';
import type { Vocabulary } from '../shared/vocabulary';
import { geometricWhole, prefixWhole, stateSupercategories, supercategoryWhole } from './evidence';
import { foldNumbers } from './fold-numbers';
import type { CategoryMapping, Mapping } from './mapping';
import { SchemaMatcher } from './match-schema';
import { mentionsParts, normalizeName, objectFromNames } from './names';
import { proposeClassRule, proposeSplitRule } from './propose-rules';
import { toSchemaId, uniqueId } from './schema';
import type { SourceCategory, SourceStatistics } from './statistics';

export interface ProposalInput {
  statistics: SourceStatistics;
  /** A meaning that the files themselves fix. */
  known: Vocabulary | null;
  /** The schema of the project, whose names come first. */
  project: DatasetSchema | null;
  /** Names of file, folder and project, which may tell the object: "car-parts". */
  names?: readonly string[];
  /** The class that all parts belong to, if the user stated it. */
  className?: string;
  format?: string;
  /** The file that lists the categories, for messages. */
  origin?: string;
}

export interface Proposal {
  mapping: Mapping;
  /** What somebody should check, as sentences. */
  remarks: string[];
}

/** The target of a category before ids are given. */
export type Draft =
  | { to: 'class' | 'stuff' | 'attribute' | 'crowd'; name: string; reason: string }
  | { to: 'part'; name: string; of: string[]; parent?: string; instance?: number; reason: string }
  | { to: 'ignore' | 'skip'; reason: string };

/** Of images whose annotations form one cluster, so that all of them can be parts of one object. */
const CLUSTERED = 0.8;
/** Categories per image: fewer of them do not look like the parts of an object. */
const MIN_PARTS = 3;

/** More categories cannot be mapped by hand, and would take long to compare. */
const MAX_CATEGORIES = 10_000;

/** Proposes what each category means, with the reason in one sentence. */
export function proposeMapping(input: ProposalInput): Proposal {
  const { statistics, known, project, format } = input;
  const { length } = statistics.categories;
  if (length > MAX_CATEGORIES)
    throw new Error(
      `${input.origin ?? 'The dataset'} has ${length} classes; a schema can hold ${MAX_ENTRIES}. Leave some out.`,
    );
  const remarks: string[] = [];
  const drafts = new Map<string, Draft>();
  const ids = new Ids(statistics.categories);
  const matcher = project && new SchemaMatcher(project);
  const open: SourceCategory[] = [];
  for (const category of statistics.categories) {
    const draft =
      ofKnown(category, known) ?? ofRole(category, ids) ?? matcher?.match(category, input.className) ?? null;
    if (draft) drafts.set(category.name, draft);
    else open.push(category);
  }
  draftOpen(open, { input, drafts, ids, matcher, remarks });
  const objects = objectsByClass(statistics, drafts);
  const categories = statistics.categories.map((category): CategoryMapping => {
    const draft = drafts.get(category.name) as Draft;
    const { reason, ...target } = draft;
    const isNumbered =
      draft.to === 'part' && (category.maxPerImage > objectsPerImage(draft.of, objects) || undefined);
    return {
      source: category.name,
      ...target,
      ...(isNumbered && { numbered: true }),
      ...(category.annotations > 0 && { count: category.annotations }),
      reason: reason.slice(0, 1000),
    } as CategoryMapping;
  });
  if (!statistics.isComplete)
    remarks.push(`Only the first ${statistics.images} images were read for this proposal.`);
  return {
    mapping: {
      version: 1,
      ...(format !== undefined && { format }),
      schema: 'dataset',
      class: proposeClassRule(input, categories),
      split: proposeSplitRule(input, remarks),
      groups: 'pieces',
      categories: known ? categories : foldNumbers(categories),
    },
    remarks,
  };
}

/** Most objects of each class in one image, by the id of the class. */
function objectsByClass(
  { categories }: SourceStatistics,
  drafts: ReadonlyMap<string, Draft>,
): ReadonlyMap<string, number> {
  const objects = new Map<string, number>();
  for (const { name, maxPerImage } of categories) {
    const draft = drafts.get(name);
    if (draft?.to === 'class') objects.set(draft.name, (objects.get(draft.name) ?? 0) + maxPerImage);
  }
  return objects;
}

/** Most objects of these classes in one image, at least 1: more parts than that are instances. */
function objectsPerImage(classes: readonly string[], objects: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const id of new Set(classes)) most += objects.get(id) ?? 0;
  return Math.max(1, most);
}

function ofKnown({ name }: SourceCategory, known: Vocabulary | null): Draft | null {
  const meaning = known?.resolve(name);
  if (!known || !meaning) return null;
  const { kind, id } = meaning;
  const reason = 'The meaning is fixed by the schema of the files.';
  if (kind === 'attribute') return { to: 'attribute', name: id, reason };
  if (kind === 'part') {
    const part = known.schema.parts.find((each) => each.id === id);
    const { classes = [], parent } = part ?? {};
    return { to: 'part', name: id, of: [...classes], ...(parent !== undefined && { parent }), reason };
  }
  const isStuff = known.schema.classes.some((entry) => entry.id === id && entry.kind === 'stuff');
  return { to: isStuff ? 'stuff' : 'class', name: id, reason };
}

function ofRole({ name, role }: SourceCategory, ids: Ids): Draft | null {
  if (role === 'ignore') return { to: 'ignore', reason: 'The format marks these regions as not annotated.' };
  if (role === 'stuff')
    return {
      to: 'stuff',
      name: ids.of(name),
      reason: 'The format marks the category as stuff, without objects.',
    };
  return null;
}

/** Ids of categories, unique in the schema. */
class Ids {
  readonly #ids = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(categories: readonly SourceCategory[]) {
    for (const { name } of categories) this.of(name);
  }

  of(name: string): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = uniqueId(toSchemaId(name), this.#taken);
    this.#taken.add(id);
    this.#ids.set(name, id);
    return id;
  }
}

interface Drafting {
  input: ProposalInput;
  drafts: Map<string, Draft>;
  ids: Ids;
  matcher: SchemaMatcher | null;
  remarks: string[];
}

/** The whole of a category, with the reason. */
export interface Whole {
  name: string;
  reason: string;
}

function draftOpen(open: readonly SourceCategory[], drafting: Drafting): void {
  const { input, drafts, ids, remarks } = drafting;
  const { statistics } = input;
  const all = new Map(statistics.categories.map((category) => [category.name, category]));
  const byLowerName = new Map(statistics.categories.map((each) => [each.name.toLowerCase(), each]));
  const parents = stateSupercategories(statistics.categories, remarks);
  const wholes = new Map<string, Whole>();
  for (const category of open) {
    const whole =
      supercategoryWhole(category, parents, all) ??
      prefixWhole(category, byLowerName) ??
      geometricWhole(category, all);
    if (whole) wholes.set(category.name, whole);
  }
  breakCycles(wholes);
  const container = commonClass(open, wholes, drafting);
  // All categories without a whole are parts of a class that was stated or found.
  for (const category of open) {
    const { name } = category;
    const whole = wholes.get(name);
    if (whole) drafts.set(name, partOf(name, whole, wholes, drafting, container));
    else if (container && normalizeName(name) !== normalizeName(container.name))
      drafts.set(name, { to: 'part', name: ids.of(name), of: [container.id], reason: container.reason });
    else
      drafts.set(name, {
        to: 'class',
        name: ids.of(name),
        reason: 'Nothing indicates that it is a part of another category.',
      });
  }
}

function breakCycles(wholes: Map<string, Whole>): void {
  for (const start of wholes.keys()) {
    const seen = new Set([start]);
    for (let at = wholes.get(start)?.name; at !== undefined; at = wholes.get(at)?.name) {
      if (seen.has(at)) {
        wholes.delete(start);
        break;
      }
      seen.add(at);
    }
  }
}

/** Follows wholes to the class at the top. The part below it is the parent of everything deeper. */
function partOf(
  name: string,
  whole: Whole,
  wholes: ReadonlyMap<string, Whole>,
  { ids, drafts }: Drafting,
  container: Container | null,
): Draft {
  let parent: string | null = null;
  let top = whole.name;
  for (let next = wholes.get(top); next; next = wholes.get(top)) {
    parent = top;
    top = next.name;
  }
  const known = drafts.get(top);
  const id = ids.of(name);
  const { reason } = whole;
  // The top can be a part by the project's schema, or by the object that all categories belong to.
  if (known?.to === 'part')
    return { to: 'part', name: id, of: known.of, parent: known.parent ?? known.name, reason };
  if (container && !known && normalizeName(top) !== normalizeName(container.name) && !container.isGuess)
    return { to: 'part', name: id, of: [container.id], parent: ids.of(top), reason };
  const classId = known && 'name' in known ? known.name : ids.of(top);
  return { to: 'part', name: id, of: [classId], ...(parent !== null && { parent: ids.of(parent) }), reason };
}

interface Container {
  id: string;
  name: string;
  reason: string;
  /** Found by geometry, rather than stated. */
  isGuess: boolean;
}

/** The class whose parts the categories are, if it was stated or if all annotations of an image lie together. */
function commonClass(
  open: readonly SourceCategory[],
  wholes: ReadonlyMap<string, Whole>,
  { input, ids, matcher, drafts }: Drafting,
): Container | null {
  const { className, names = [], statistics } = input;
  const idOf = (name: string) => {
    const own = statistics.categories.find((each) => normalizeName(each.name) === normalizeName(name));
    return matcher?.classId(name) ?? (own ? ids.of(own.name) : toSchemaId(name));
  };
  if (className !== undefined)
    return {
      id: idOf(className),
      name: className,
      reason: `The class "${className}" was given, and the category is not part of another one.`,
      isGuess: false,
    };
  if (open.length + drafts.size < 2 || wholes.size > 0 || statistics.measuredImages === 0) return null;
  if ([...drafts.values()].some(({ to }) => to === 'class')) return null;
  const isClustered =
    statistics.clusteredImages >= CLUSTERED * statistics.measuredImages &&
    (statistics.medianCategories >= MIN_PARTS || mentionsParts(names));
  if (!isClustered) return null;
  const matched = new Set([...drafts.values()].flatMap((draft) => (draft.to === 'part' ? draft.of : [])));
  const [onlyClass] = matched.size === 1 ? matched : [];
  const name = onlyClass ?? objectFromNames(names) ?? 'object';
  return {
    id: onlyClass ?? idOf(name),
    name,
    reason: `All annotations lie together in ${statistics.clusteredImages} of ${formatCount(statistics.measuredImages, 'image')}, and none contains another.`,
    isGuess: true,
  };
}
