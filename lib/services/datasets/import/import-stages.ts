import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';

const { projects, stages } = tables;

export interface ImportStage {
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

/** The stages that labels belong to. One that the project does not have is made closed: it asks nobody. */
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

  /** One after the other: images that come in at once need the same new stage once. */
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
