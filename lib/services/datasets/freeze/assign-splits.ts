import { parse } from 'csv-parse/sync';
import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { conflict, invalid } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import {
  type Assignment,
  findLeaks,
  type Leak,
  type Member,
  sortSplits,
  splitByGroup,
  splitIntoFolds,
  splitStratified,
  type Tie,
} from '@/lib/core/splits';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { putBlob, readAll, type Storage } from '@/lib/services/storage';
import { type FreezeMember, findTies, readMembers } from './members';
import { type FreezeRequest, SplitName, type SplitSpec } from './request';

/** An image to be assigned to a split. Its id is the hash of the uploaded file. */
export interface SplitImage extends Member {
  name: string;
  wnid: string | null;
  columns: Readonly<Record<string, string>>;
}

/** Splits by image name, from an uploaded table. */
type GivenSplit = ReadonlyMap<string, string>;

interface SplitResult {
  assignment: Assignment;
  splits: string[];
  leaks: Leak[];
}

/** Assigns every image to a split and reports related images in different splits. */
function assignSplits(
  members: readonly SplitImage[],
  ties: readonly Tie[],
  spec: SplitSpec,
  given: GivenSplit,
): SplitResult {
  const assignment = assign(members, ties, spec, given);
  const named = 'shares' in spec ? Object.keys(spec.shares) : [];
  return {
    assignment,
    splits: sortSplits([...named, ...assignment.values()]),
    leaks: findLeaks(members, ties, assignment),
  };
}

function assign(
  members: readonly SplitImage[],
  ties: readonly Tie[],
  spec: SplitSpec,
  given: GivenSplit,
): Assignment {
  switch (spec.kind) {
    case 'stratified':
      return splitStratified(members, ties, spec);
    case 'group':
      return splitByGroup(
        members.map((member) => ({ ...member, group: groupOf(member, spec.by) })),
        ties,
        spec,
      );
    case 'folds':
      return splitIntoFolds(members, ties, spec);
    case 'column':
      return byWord(members, (member) => ownColumn(member, spec.column), {
        none: `have no "${spec.column}"`,
        mend: 'Choose another column, or a filter that leaves these images out.',
      });
    case 'file':
      return byWord(members, (member) => given.get(member.name), {
        none: 'are not in the table',
        mend: 'Add them to it, or choose a filter that leaves them out.',
      });
    case 'none':
      return new Map(members.map(({ id }) => [id, 'all']));
  }
}

/** Reads an own property, because a column can be called "constructor". */
const ownColumn = ({ columns }: SplitImage, name: string): string | undefined =>
  Object.hasOwn(columns, name) ? columns[name] : undefined;

function groupOf(member: SplitImage, by: string): string {
  const value =
    by === 'class'
      ? member.className
      : by === 'wnid'
        ? member.wnid
        : by === 'group'
          ? member.groupKey
          : ownColumn(member, by);
  // An image without a value forms its own group.
  return value ?? `\u0000${member.id}`;
}

function byWord(
  members: readonly SplitImage[],
  wordOf: (member: SplitImage) => string | undefined,
  missing: { none: string; mend: string },
): Assignment {
  const without = members.filter((member) => !wordOf(member));
  if (without.length > 0)
    throw invalid(`${without.length} images ${missing.none}: ${firstNames(without)} ${missing.mend}`);
  const odd = members.filter((member) => !SplitName.safeParse(splitWord(wordOf(member))).success);
  if (odd.length > 0)
    throw invalid(
      `${odd.length} images have a split that is no name (small letters, digits and hyphens): ${firstNames(odd)}`,
    );
  return new Map(members.map((member) => [member.id, splitWord(wordOf(member))]));
}

const synonyms = new Map([
  ['validation', 'val'],
  ['valid', 'val'],
  ['training', 'train'],
  ['testing', 'test'],
]);

/** Normalizes synonyms such as "validation" and "val". */
const splitWord = (word = ''): string => {
  const small = word.trim().toLowerCase();
  return synonyms.get(small) ?? small;
};

const firstNames = (members: readonly SplitImage[]): string =>
  members
    .slice(0, 5)
    .map(({ name }) => `"${name}"`)
    .join(', ') + (members.length > 5 ? ' …' : '.');

const { blobs } = tables;

export interface SplitRequest {
  projectId: string;
  request: FreezeRequest;
  signal?: AbortSignal;
}

export interface ProjectSplit extends SplitResult {
  schema: DatasetSchema;
  members: FreezeMember[];
}

/** Assigns the selected images of a project to splits. Used by the preview and by freezing. */
export async function splitProject(
  db: Db,
  storage: Storage,
  { projectId, request, signal }: SplitRequest,
): Promise<ProjectSplit> {
  const schema = await readProjectSchema(db, projectId);
  if (!schema) throw conflict('The project has no schema yet. Create one before you freeze.');
  const members = await readMembers(db, { projectId, filter: request.filter, signal });
  const given = await givenSplit(db, storage, request.split);
  return { schema, members, ...assignSplits(members, findTies(members), request.split, given) };
}

async function givenSplit(db: Db, storage: Storage, split: SplitSpec): Promise<GivenSplit> {
  if (split.kind !== 'file') return new Map();
  const [table] = await db
    .select({ mediaType: blobs.mediaType })
    .from(blobs)
    .where(eq(blobs.sha256, split.sha256));
  if (table?.mediaType !== splitTableType || !(await storage.stat(split.sha256)))
    throw invalid('The split table no longer exists. Upload it again.');
  return readGivenSplit((await storage.read(split.sha256, MAX_TABLE_BYTES)).toString('utf8'));
}

/** Enough for a hundred thousand names. */
const MAX_TABLE_BYTES = 20 * 1024 * 1024;

/** Parses a table of image names and splits. A header row is recognized by its words. */
function readGivenSplit(text: string): GivenSplit {
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, skip_empty_lines: true, trim: true, delimiter: [',', '\t', ';'] });
  } catch (error) {
    throw invalid(`The table cannot be read: ${(error as Error).message}.`);
  }
  const isHeading = /^(name|file|file_?name|image|path)$/i.test(rows[0]?.[0] ?? '');
  const given = new Map<string, string>();
  for (const [name = '', part = ''] of isHeading ? rows.slice(1) : rows) {
    if (!name || !part)
      throw invalid('A row of the table is incomplete. Each row needs an image name and a split.');
    const known = given.get(name);
    if (known !== undefined && known !== part)
      throw invalid(`The table assigns "${name}" to both "${known}" and "${part}". Keep one of the rows.`);
    given.set(name, part);
  }
  if (given.size === 0) throw invalid('The table is empty. Add rows and upload it again.');
  return given;
}

/** A separate media type, so that no other stored file can be used as a table. */
const splitTableType = 'application/x-tessera-split';

/** Validates and stores a split table. */
export async function storeSplitTable(
  db: Db,
  storage: Storage,
  body: AsyncIterable<Uint8Array> | null,
): Promise<{ sha256: string; rows: number; splits: string[] }> {
  if (!body) throw invalid('The request has no body. Send the table as the body.');
  const bytes = await readAll(body, MAX_TABLE_BYTES);
  const given = readGivenSplit(bytes.toString('utf8'));
  const { sha256 } = await putBlob(db, storage, bytes, { mediaType: splitTableType });
  return { sha256, rows: given.size, splits: [...new Set(given.values())].sort() };
}
