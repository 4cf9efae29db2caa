import { desc, eq, sql } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import { type Author, actorId, auditedAs } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { putBlob, type Storage } from '@/lib/services/storage';
import { canonical, type ManifestHeader, manifestFormat, type VersionImage, writeLine } from '../manifest';
import { type ProjectSplit, splitProject } from './assign-splits';
import { type Card, collectionOf, VersionTally } from './card';
import type { FreezeMember } from './members';
import { readLabels } from './read-labels';
import type { FreezeRequest } from './request';

const { consentTexts, projects, schemaVersions, versionImages, versions } = tables;

const manifestType = 'application/x-ndjson';
const CHUNK = 200;
/** Bytes written at a time. */
const WRITE_BYTES = 1 << 20;
/** Rows of version_images per statement: six columns each. */
const ROWS = 5000;

interface Freezing {
  db: Database;
  storage: Storage;
  signal: AbortSignal;
  progress(done: number, total: number | null, text?: string): Promise<void>;
}

export interface Frozen {
  versionId: string;
  number: number;
  hash: string;
  /** False if the same images and labels were already frozen as this version. */
  isNew: boolean;
}

/**
 * Freezes the current state of a project. Everything is read in one snapshot, so concurrent work is included completely
 * or not at all. The manifest is stored before the row, so every version that exists is complete.
 */
export async function freezeVersion(
  context: Freezing,
  actor: Author,
  { projectId, request }: { projectId: string; request: FreezeRequest },
): Promise<Frozen> {
  const { db, storage, signal } = context;
  const written = await db.transaction(
    async (tx) => {
      await context.progress(0, null, 'Dealing images to splits');
      const dealt = await splitProject(tx, storage, { projectId, request, signal });
      requireNoLeaks(dealt, request);
      const facts = await factsOf(tx, projectId);
      const tally = new VersionTally(dealt.splits, dealt.schema);
      const header = headerOf(dealt, request, facts);
      const lines = manifestLines(tx, context, dealt, header, tally);
      // The snapshot is read-only, so the blob row is written outside of it.
      const blob = await putBlob(db, storage, lines, { mediaType: manifestType });
      await context.progress(dealt.members.length, dealt.members.length, 'Writing the card');
      const card: Card = {
        counts: tally.counts,
        ...(await collectionOf(tx, projectId, dealt.schema)),
        split: { spec: request.split, leaks: dealt.leaks.length },
        licence: request.licence,
        consent: header.consent,
        schema: {
          name: dealt.schema.name,
          number: facts.schemaNumber,
          citation: dealt.schema.citation ?? null,
        },
        notes: [],
      };
      return { dealt, facts, blob, tally, card };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return keep(db, actor, { projectId, request, ...written });
}

function requireNoLeaks({ members, leaks }: ProjectSplit, request: FreezeRequest): void {
  if (members.length === 0) throw conflict('No active images match. Change the filter or add images.');
  if (leaks.length > 0 && !request.allowLeaks)
    throw conflict(
      `${leaks.length} pairs of related images would be in different splits. Review them in the preview, then choose another split, exclude one image of each pair, or allow leaks.`,
    );
}

interface Facts {
  policy: Record<string, unknown>;
  schemaVersionId: string;
  schemaNumber: number;
  consent: number | null;
}

async function factsOf(db: Db, projectId: string): Promise<Facts> {
  const [row] = await db
    .select({
      policy: projects.policy,
      schemaVersionId: schemaVersions.id,
      schemaNumber: schemaVersions.number,
    })
    .from(projects)
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  if (!row) throw conflict('The project has no schema yet. Create one before you freeze.');
  const [text] = await db
    .select({ number: consentTexts.number })
    .from(consentTexts)
    .where(eq(consentTexts.projectId, projectId))
    .orderBy(desc(consentTexts.number))
    .limit(1);
  return { ...row, consent: text?.number ?? null };
}

const headerOf = (
  { schema, splits, members }: ProjectSplit,
  { split, licence }: FreezeRequest,
  { policy, consent }: Facts,
): ManifestHeader => ({
  format: manifestFormat,
  schema,
  policy,
  split,
  splits,
  licence,
  consent,
  images: members.length,
});

async function* manifestLines(
  tx: Db,
  { signal, progress }: Freezing,
  { members, assignment, schema }: ProjectSplit,
  header: ManifestHeader,
  tally: VersionTally,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${canonical(header)}\n`);
  for (let from = 0; from < members.length; from += CHUNK) {
    signal.throwIfAborted();
    const chunk = members.slice(from, from + CHUNK);
    const labels = await readLabels(tx, chunk, schema);
    let piece: Buffer[] = [];
    let bytes = 0;
    for (const member of chunk) {
      const found = labels.get(member.imageId);
      if (!found) throw new Error('Every image has labels, if only none.');
      const image: VersionImage = { ...imageOf(member, assignment.get(member.id) as string), ...found };
      tally.add(image);
      const line = Buffer.from(`${writeLine(image)}\n`);
      piece.push(line);
      bytes += line.length;
      if (bytes < WRITE_BYTES) continue;
      yield Buffer.concat(piece);
      piece = [];
      bytes = 0;
    }
    yield Buffer.concat(piece);
    await progress(from + chunk.length, members.length, 'Writing labels');
  }
}

const imageOf = (member: FreezeMember, split: string) => ({
  source: member.id,
  name: member.name,
  className: member.className,
  wnid: member.wnid,
  groupKey: member.groupKey,
  columns: member.columns,
  split,
  width: member.width,
  height: member.height,
  picture: { sha256: member.blob, mediaType: member.mediaType },
  hasMasks: true,
});

interface Written {
  projectId: string;
  request: FreezeRequest;
  dealt: ProjectSplit;
  facts: Facts;
  blob: { sha256: string };
  tally: VersionTally;
  card: Card;
}

/** Inserts the version and its images, or returns the existing version with the same content. */
async function keep(db: Database, actor: Author, written: Written): Promise<Frozen> {
  const { projectId, request, dealt, blob } = written;
  return db.transaction(async (tx) => {
    // Concurrent requests get different numbers, or the same version if the content is equal.
    await tx.execute(sql`select 1 from ${projects} where id = ${projectId} for no key update`);
    const known = await tx
      .select({
        id: versions.id,
        number: versions.number,
        hash: versions.hash,
        statements: versions.statements,
      })
      .from(versions)
      .where(eq(versions.projectId, projectId))
      .orderBy(desc(versions.number));
    const same = known.find(({ hash }) => hash === blob.sha256);
    if (same) return { versionId: same.id, number: same.number, hash: same.hash, isNew: false };
    const versionId = newId();
    const number = Math.max(0, ...known.map((each) => each.number)) + 1;
    await tx.insert(versions).values({
      id: versionId,
      projectId,
      number,
      hash: blob.sha256,
      manifest: blob.sha256,
      description: request.description,
      licence: request.licence,
      schemaVersionId: written.facts.schemaVersionId,
      imageCount: dealt.members.length,
      labelCount: written.tally.labels,
      card: written.card,
      // Most statements stay true from version to version.
      statements: known[0]?.statements ?? {},
      createdBy: actorId(actor),
    });
    const rows = dealt.members.map((member, position) => ({
      versionId,
      position,
      imageId: member.imageId,
      split: dealt.assignment.get(member.id) as string,
      className: member.className,
      blob: member.blob,
    }));
    for (let from = 0; from < rows.length; from += ROWS)
      await tx.insert(versionImages).values(rows.slice(from, from + ROWS));
    await record(tx, {
      actor,
      verb: 'version.freeze',
      subject: 'version',
      subjectId: versionId,
      projectId,
      detail: { number, hash: blob.sha256, images: rows.length, labels: written.tally.labels },
    });
    return { versionId, number, hash: blob.sha256, isNew: true };
  });
}

export const FREEZE_JOB = 'freeze-version';

/** Starts the job that freezes a project. Its result contains the version. */
export async function startFreeze(
  db: Database,
  actor: Author,
  input: {
    projectId: string;
    request: FreezeRequest;
    /** Tag for the new version. */
    tag?: string;
  },
): Promise<{ jobId: string }> {
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      FREEZE_JOB,
      { ...input, author: auditedAs(actor) },
      { title: 'Freeze a version', projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}
