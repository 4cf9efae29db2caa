import { and, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import type { Statements } from '@/lib/core/croissant';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { findVersion } from './open-version';

const { users, versionNotes, versionTags, versions } = tables;

interface Which {
  projectId: string;
  version: string;
}

/** A word other than a number or "latest", which already identify versions. */
export const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'small letters, digits, dot, underscore and hyphen, at most 40')
  .refine((tag) => !/^v?\d+$/.test(tag) && tag !== 'latest', 'a number and "latest" mean a version already');

/** Tags a version. A tag of another version moves here. */
export async function tagVersion(db: Database, actor: Author, input: Which & { tag: string }): Promise<void> {
  const tag = Tag.parse(input.tag);
  await db.transaction(async (tx) => {
    const { id, number } = await findVersion(tx, input);
    await tx
      .insert(versionTags)
      .values({ projectId: input.projectId, versionId: id, tag })
      .onConflictDoUpdate({ target: [versionTags.projectId, versionTags.tag], set: { versionId: id } });
    await note(tx, actor, { ...input, verb: 'version.tag', id, detail: { number, tag } });
  });
}

export async function untagVersion(
  db: Database,
  actor: Author,
  input: Which & { tag: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, number } = await findVersion(tx, input);
    const gone = await tx
      .delete(versionTags)
      .where(and(eq(versionTags.versionId, id), eq(versionTags.tag, input.tag)))
      .returning({ id: versionTags.id });
    if (gone.length === 0) throw notFound('tag');
    await note(tx, actor, { ...input, verb: 'version.untag', id, detail: { number, tag: input.tag } });
  });
}

/** Sets the description, which is not part of the frozen content. */
export async function describeVersion(
  db: Database,
  actor: Author,
  input: Which & { description: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, number } = await findVersion(tx, input);
    await tx.update(versions).set({ description: input.description }).where(eq(versions.id, id));
    await note(tx, actor, { ...input, verb: 'version.describe', id, detail: { number } });
  });
}

/** Replaces the statements of the authors, which are not part of the frozen content. */
export async function stateAboutVersion(
  db: Database,
  actor: Author,
  input: Which & { statements: Statements },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, number } = await findVersion(tx, input);
    await tx.update(versions).set({ statements: input.statements }).where(eq(versions.id, id));
    await note(tx, actor, { ...input, verb: 'version.state', id, detail: { number } });
  });
}

/** Adds a note, optionally with the version that supersedes this one. */
export async function noteVersion(
  db: Database,
  actor: Author,
  input: Which & { text: string; supersededBy?: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, number } = await findVersion(tx, input);
    const successor = input.supersededBy
      ? await findVersion(tx, { projectId: input.projectId, version: input.supersededBy })
      : null;
    if (successor && successor.number <= number)
      throw invalid('A version can only be superseded by a newer one. Choose a newer version.');
    if (!successor && input.text === '')
      throw invalid('The note is empty. Enter a text or choose a newer version.');
    await tx.insert(versionNotes).values({
      versionId: id,
      text: input.text,
      supersededBy: successor?.id ?? null,
      createdBy: actorId(actor),
    });
    const detail = { number, text: input.text, ...(successor && { by: successor.number }) };
    await note(tx, actor, { ...input, verb: successor ? 'version.supersede' : 'version.note', id, detail });
  });
}

const successors = alias(versions, 'successors');

export async function listNotes(db: Db, versionId: string) {
  return db
    .select({
      id: versionNotes.id,
      text: versionNotes.text,
      supersededBy: successors.number,
      by: users.name,
      at: versionNotes.createdAt,
    })
    .from(versionNotes)
    .leftJoin(successors, eq(successors.id, versionNotes.supersededBy))
    .leftJoin(users, eq(users.id, versionNotes.createdBy))
    .where(eq(versionNotes.versionId, versionId))
    .orderBy(desc(versionNotes.id))
    .limit(200);
}

const note = (
  tx: Db,
  actor: Author,
  input: { verb: string; id: string; projectId: string; detail: Record<string, unknown> },
) =>
  record(tx, {
    actor,
    verb: input.verb,
    subject: 'version',
    subjectId: input.id,
    projectId: input.projectId,
    detail: input.detail,
  });
