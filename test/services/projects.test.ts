import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog, jobs, memberships, projects, schemaVersions, stages } from '@/db/schema';
import { schemaPreset, schemaPresets } from '@/lib/core/schema/presets';
import {
  archiveProject,
  createProject,
  getProject,
  listProjects,
  restoreProject,
  updateProject,
} from '@/lib/services/projects';
import { defaultStages } from '@/lib/services/projects/default-stages';
import { slugFrom } from '@/lib/services/projects/slug';
import { useDatabase } from '../support/database';
import { join, person, project, tests } from './access/people';
import { countStatements } from './access/statements';

const db = useDatabase();

describe('a new project', () => {
  it('is a draft with its schema, its stages, its curator and a line in the audit log', async () => {
    const cora = await person(db(), 'Cora');
    const made = await createProject(db(), cora, { name: 'Birds of Łódź!', preset: 'rival10' });
    expect(made).toMatchObject({ slug: 'birds-of-odz', state: 'draft', createdBy: cora.userId });
    const [schema] = await db().select().from(schemaVersions).where(eq(schemaVersions.projectId, made.id));
    expect(schema).toMatchObject({ id: made.schemaVersionId, number: 1 });
    expect(schema?.document).toEqual(schemaPreset('rival10'));
    const questions = await db().select().from(stages).where(eq(stages.projectId, made.id));
    expect(questions.map((stage) => stage.kind)).toEqual(['attributes', 'object-mask', 'part-mask']);
    const members = await db().select().from(memberships).where(eq(memberships.projectId, made.id));
    expect(members).toMatchObject([{ userId: cora.userId, role: 'curator' }]);
    const [entry] = await db().select().from(auditLog).where(eq(auditLog.projectId, made.id));
    expect(entry).toMatchObject({ verb: 'project.create', actor: 'Cora' });
  });

  it('can be made from every preset, with at least one question to ask', () => {
    for (const preset of schemaPresets) expect(defaultStages(preset).length, preset.id).toBeGreaterThan(0);
  });

  it('does not take an address that is taken, and leaves nothing behind', async () => {
    await createProject(db(), tests, { name: 'Twice', preset: 'rival10' });
    const before = await db().$count(schemaVersions);
    const again = createProject(db(), tests, { name: 'Twice', preset: 'rival10' });
    await expect(again).rejects.toMatchObject({ kind: 'conflict' });
    expect(await db().$count(schemaVersions)).toBe(before);
  });

  it.each([
    ['an unknown preset', { name: 'A', preset: 'nothing' }],
    ['a name without a letter', { name: '🐦', preset: 'rival10' }],
    [
      'an address that looks like an id',
      { name: 'A', slug: '01890000-0000-7000-8000-000000000000', preset: 'rival10' },
    ],
  ])('is refused for %s', async (_, input) => {
    await expect(createProject(db(), tests, input)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('addresses', () => {
  it.each([
    ['Ünïcödé Names', 'unicode-names'],
    ['  --x--  ', 'x'],
    ['a'.repeat(100), 'a'.repeat(63)],
    ['../../etc/passwd', 'etc-passwd'],
    ['日本語', ''],
  ])('%s', (name, slug) => expect(slugFrom(name)).toBe(slug));
});

describe('a list of projects', () => {
  it('costs five statements, for two projects as for ten', async () => {
    const ada = await person(db(), 'Ada', true);
    for (let n = 0; n < 10; n++) await project(db());
    for (const limit of [2, 10]) {
      expect(await countStatements(db(), () => listProjects(db(), ada, { limit }))).toBe(5);
    }
  });

  it('shows people theirs, with counts, roles and without the archive', async () => {
    const cora = await person(db(), 'Cora');
    const [mine, put, other] = [await project(db()), await project(db()), await project(db())];
    await join(db(), cora, mine.id, 'curator', 'worker');
    await join(db(), cora, put.id, 'curator');
    await archiveProject(db(), tests, put.id);
    await db().insert(jobs).values({ kind: 'ingest', title: 'Images', projectId: mine.id });
    const listed = await listProjects(db(), cora, { limit: 50 });
    expect(listed.map((row) => row.id)).toEqual([mine.id]);
    expect(listed[0]?.roles).toEqual(['curator', 'worker']);
    expect(listed[0]?.counts).toMatchObject({
      images: 0,
      people: { curator: 1, worker: 1, researcher: 0 },
      jobs: { active: 1, failed: 0 },
    });
    const all = await listProjects(db(), cora, { limit: 50, withArchived: true });
    expect(all.map((row) => row.id)).toEqual([put.id, mine.id]);
    expect(all.map((row) => row.id)).not.toContain(other.id);
  });
});

describe('a project', () => {
  it('is read with its schema and its stages', async () => {
    const made = await project(db());
    const found = await getProject(db(), made.id);
    expect(found.schemaNumber).toBe(1);
    expect(found.schema?.id).toBe('rival10');
    expect(found.stages.map((stage) => stage.position)).toEqual([0, 1, 2]);
  });

  it('goes from state to state only along the allowed ways, with from and to on record', async () => {
    const made = await project(db());
    const go = (state: 'collecting' | 'finished' | 'paused') =>
      updateProject(db(), tests, made.id, { state });
    await expect(go('finished')).rejects.toMatchObject({ kind: 'conflict' });
    await go('collecting');
    await go('finished');
    await archiveProject(db(), tests, made.id);
    await expect(go('collecting')).rejects.toMatchObject({ kind: 'conflict' });
    expect((await restoreProject(db(), tests, made.id)).state).toBe('paused');
    const trail = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, made.id))
      .orderBy(auditLog.createdAt);
    expect(trail.at(-1)?.detail).toEqual({ state: { from: 'archived', to: 'paused' } });
  });

  it('writes nothing when nothing changes', async () => {
    const made = await project(db());
    await updateProject(db(), tests, made.id, { name: made.name });
    const [row] = await db().select().from(projects).where(eq(projects.id, made.id));
    expect(row?.updatedAt).toEqual(made.updatedAt);
    expect(await db().$count(auditLog, eq(auditLog.projectId, made.id))).toBe(1);
  });
});
