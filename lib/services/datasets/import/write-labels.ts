import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AttributeChoices, DatasetSchema } from '@/lib/core/schema';
import { writeQuestions } from '@/lib/services/crowd/work/ask-first-questions';
import { firstQuestions, followingQuestions } from '@/lib/services/crowd/work/change-following';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import type { NewLabel } from './translate';

const { items, labels, projects, stages } = tables;

export interface LabelDestination {
  projectId: string;
  schema: DatasetSchema;
  schemaVersionId: string;
  stages: ImportStages;
}

export interface WrittenLabels {
  written: number;
  /** The item has a label or is in progress. */
  known: number;
  /** The labels that were written. */
  isWritten(label: NewLabel): boolean;
}

/**
 * Labels the items of an image that have no answer and no label, and creates the remaining items. The image is locked
 * (`lockImages`), so no item can be leased or answered meanwhile.
 */
export async function writeLabels(
  tx: Db,
  to: LabelDestination,
  image: { id: string; className: string | null },
  given: readonly NewLabel[],
  provenance: { format: string; path: string },
): Promise<WrittenLabels> {
  const wanted = given.flatMap((label) => {
    const stage = to.stages.of(label.stage);
    return stage ? [{ ...label, label, stageId: stage.id, key: `${stage.id} ${label.target}` }] : [];
  });
  if (wanted.length > 0)
    await tx
      .insert(items)
      .values(
        wanted.map(({ stageId, target }) => ({
          projectId: to.projectId,
          stageId,
          imageId: image.id,
          schemaVersionId: to.schemaVersionId,
          target,
          state: 'settled' as const,
        })),
      )
      .onConflictDoNothing();
  const free = await freeItems(tx, image.id);
  const written = new Set<NewLabel>();
  const rows = wanted.flatMap(({ label, key, target, value, mask, area }) => {
    const itemId = free.get(key);
    if (itemId === undefined) return [];
    written.add(label);
    const fixed = { source: 'import' as const, provenance, confidence: 1 };
    return [
      {
        id: newId(),
        projectId: to.projectId,
        itemId,
        imageId: image.id,
        target,
        value,
        mask,
        area,
        ...fixed,
      },
    ];
  });
  if (rows.length > 0) {
    const ids = rows.map(({ itemId }) => itemId);
    await tx.update(items).set({ state: 'settled' }).where(inArray(items.id, ids));
    await tx.insert(labels).values(rows);
  }
  await askRest(tx, to, image);
  return {
    written: rows.length,
    known: given.length - rows.length,
    isWritten: (label) => written.has(label),
  };
}

async function freeItems(tx: Db, imageId: string): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: items.id, stageId: items.stageId, target: items.target })
    .from(items)
    .where(
      and(
        eq(items.imageId, imageId),
        sql`${items.state} <> 'withdrawn' and ${items.leased} = 0 and ${items.answered} = 0`,
        sql`not exists (select 1 from ${labels} where ${labels.itemId} = ${items.id} and ${labels.isCurrent})`,
      ),
    );
  return new Map(rows.map(({ id, stageId, target }) => [`${stageId} ${target}`, id]));
}

/** Creates items for everything that was not imported, because activating a project skips images that have items. */
async function askRest(
  tx: Db,
  to: LabelDestination,
  image: { id: string; className: string | null },
): Promise<void> {
  const open = to.stages.list.filter(({ isOpen }) => isOpen);
  const choices = await currentForm(tx, image.id);
  const questions = choices
    ? followingQuestions(to.schema, open, image.className, choices)
    : firstQuestions(to.schema, open, image.className);
  await writeQuestions(
    tx,
    questions.map((question) => ({
      ...question,
      projectId: to.projectId,
      imageId: image.id,
      schemaVersionId: to.schemaVersionId,
      overlap: open.find(({ id }) => id === question.stageId)?.overlap ?? 1,
    })),
    { reopens: false },
  );
}

/** Reads the current form, which can differ from the imported one. */
async function currentForm(tx: Db, imageId: string): Promise<AttributeChoices | null> {
  const [form] = await tx
    .select({ choices: sql<AttributeChoices | null>`${labels.value}->'choices'` })
    .from(labels)
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(
      and(
        eq(items.imageId, imageId),
        eq(stages.kind, 'attributes'),
        eq(labels.isCurrent, true),
        ne(items.state, 'withdrawn'),
      ),
    )
    .limit(1);
  return form?.choices ?? null;
}

interface ImportStage {
  id: string;
  kind: StageKind;
  isOpen: boolean;
  overlap: number;
}

const names: Readonly<Record<StageKind, string>> = {
  attributes: 'Imported attributes',
  'object-mask': 'Imported object masks',
  'part-mask': 'Imported part masks',
  oracle: 'Imported classes',
};

/** Finds the stages of imported labels. Missing stages are created closed, so that they collect no answers. */
export class ImportStages {
  #list: ImportStage[] = [];
  #making: Promise<void> = Promise.resolve();

  private constructor(
    private readonly db: Database,
    private readonly projectId: string,
  ) {}

  static async open(db: Database, projectId: string): Promise<ImportStages> {
    const made = new ImportStages(db, projectId);
    await made.#read();
    return made;
  }

  get list(): readonly ImportStage[] {
    return this.#list;
  }

  of(kind: StageKind): ImportStage | undefined {
    return this.#list.find((stage) => stage.kind === kind);
  }

  /** Serialized, because concurrent images need the same new stage. */
  async ensure(kinds: Iterable<StageKind>): Promise<void> {
    for (const kind of new Set(kinds)) {
      if (this.of(kind)) continue;
      this.#making = this.#making.then(() => (this.of(kind) ? undefined : this.#make(kind)));
      await this.#making;
    }
  }

  async #make(kind: StageKind): Promise<void> {
    const { db, projectId } = this;
    const position = 1 + this.#list.length + 100;
    await db
      .insert(stages)
      .values({ projectId, kind, name: names[kind], position, state: 'closed' })
      .onConflictDoNothing();
    await this.#read();
  }

  async #read(): Promise<void> {
    const rows = await this.db
      .select({
        id: stages.id,
        kind: stages.kind,
        state: stages.state,
        own: stages.policy,
        policy: projects.policy,
      })
      .from(stages)
      .innerJoin(projects, eq(projects.id, stages.projectId))
      .where(and(eq(stages.projectId, this.projectId), eq(stages.asks, 'images')))
      .orderBy(stages.position);
    this.#list = rows.map(({ id, kind, state, own, policy }) => ({
      id,
      kind,
      isOpen: state !== 'closed',
      overlap: effectivePolicy(policy, own).overlap,
    }));
  }
}
