import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { commandLine } from '@/bin/database/enter';
import { type Database, newId, tables } from '@/db';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';
import type { Rng } from '@/lib/demo/scenes/prng';
import { ensureDemo } from '@/lib/demo/workspace';
import { methodsFor } from '@/lib/services/curation/consensus/methods';
import { exportVersion } from '@/lib/services/datasets/exports/export-version';
import { verifyVersion } from '@/lib/services/datasets/versions/verify-version';
import type { Outcome } from '@/lib/services/invariants/check-rules';
import { finalStates } from '@/lib/services/jobs/job-row';
import { createProject } from '@/lib/services/projects';
import { storage } from '@/lib/services/storage';
import type { Hits } from './activities';
import { type Instance, outcomeOf } from './instance';
import { Browser } from './upload-activity';

const { consensusRuns, images, jobs, labels, models, projects, runs, stages, uploadFiles, versions } = tables;

const LABELLED = 'part-imagenet-demo';
const COLLECTED = 'rival10-demo';
const PICTURES = 12;
const WAIT_MS = 240_000;

/** A training run that is over in seconds. */
const short = {
  'stages.0.epochs': 3,
  'train.batchSize': 8,
  'train.checkpointSeconds': 0,
  'validate.previews': 2,
  test: '[{"attack":"none","sample":null}]',
};

/** Four pictures of a class: one for validation, or no model can be chosen. */
const split = { kind: 'stratified', seed: '0', shares: { train: 0.5, val: 0.25, test: 0.25 } };

type Name = 'ingest' | 'import' | 'freeze' | 'consensus' | 'training';

interface Started {
  name: Name;
  jobId: string;
  /** The upload, project, consensus run or training run that it is about. */
  about: string;
}

/** What is done by jobs of the worker: all of it is begun at once, so that one kill hits several. */
export class JobActivities {
  readonly hits: Partial<Record<Name, Hits>> = {};
  readonly browser: Browser;
  private readonly broken = new Map<Name, string[]>();
  /** What an undisturbed round gave: images and labels of an import, labels before and after a consensus. */
  private imported = '';
  private consensus: { id: string; before: string; after: string } = { id: '', before: '', after: '' };
  private zip = Buffer.alloc(0);
  private readonly usualMs = new Map<Name, number>();

  private constructor(
    url: string,
    private readonly db: Database,
    readonly names: readonly Name[],
  ) {
    this.browser = new Browser(url);
  }

  get curator() {
    return { browser: this.browser, project: COLLECTED };
  }

  static async prepare(
    instance: Instance,
    db: Database,
    { trains }: { trains: boolean },
  ): Promise<JobActivities> {
    const names: Name[] = [
      'ingest',
      'import',
      'freeze',
      'consensus',
      ...(trains ? (['training'] as const) : []),
    ];
    const made = new JobActivities(instance.urls[0] as string, db, names);
    const { signIns } = await ensureDemo({ db, size: { gold: 8, chunk: 20, parts: 44, few: 1 } });
    const admin = signIns.find(({ role }) => role === 'admin');
    await made.browser.signIn(admin?.email ?? '', admin?.password ?? '');
    const { jobId } = await made.browser.ask<{ jobId: string }>('POST', `/projects/${LABELLED}/versions`, {
      split,
    });
    await made.ended([jobId]);
    const out = path.join(instance.home, 'import.zip');
    const context = {
      db,
      storage: storage(),
      signal: new AbortController().signal,
      progress: async () => {},
    };
    const projectId = await made.projectId(LABELLED);
    await exportVersion(context, { projectId, version: 'latest', format: 'coco', options: {} }, out);
    made.zip = await readFile(out);
    rmSync(out);
    return made;
  }

  /** One round without a kill: the results to compare with, and how long each job takes. */
  async undisturbed(): Promise<void> {
    this.consensus.before = await this.labelsOfStage();
    const started = await this.begin(0);
    const ids = started.map(({ jobId }) => jobId);
    await this.ended(ids);
    this.consensus.after = await this.labelsOfStage();
    this.imported = await this.contentOf(this.aboutOf(started, 'import'));
    const rows = await this.db
      .select({
        id: jobs.id,
        state: jobs.state,
        error: jobs.error,
        ms: sql<number>`extract(epoch from finished_at - started_at)::float8 * 1000`,
      })
      .from(jobs)
      .where(inArray(jobs.id, ids));
    const failed = rows.find(({ state }) => state !== 'done');
    if (failed) throw new Error(`Without any kill a job is ${failed.state}: ${failed.error}`);
    for (const { name, jobId } of started)
      this.usualMs.set(name, rows.find(({ id }) => id === jobId)?.ms ?? 1000);
  }

  /** Waits for a random moment within one of the jobs: each has its turn. */
  async untilWithin(round: number, started: readonly Started[], random: Rng): Promise<Name> {
    const aim = started[round % started.length] as Started;
    const deadline = performance.now() + WAIT_MS;
    while (!(await this.running([aim])).length && performance.now() < deadline) await sleep(10);
    await sleep(random.integer(0, Math.round(0.9 * (this.usualMs.get(aim.name) ?? 0))));
    return aim.name;
  }

  /** An even round builds a consensus, an odd one takes it back. */
  async begin(round: number): Promise<Started[]> {
    const { browser } = this;
    const started: Started[] = [];
    const add = (name: Name, jobId: string, about: string) => started.push({ name, jobId, about });

    const { id: upload } = await browser.ask<{ id: string }>('POST', `/projects/${COLLECTED}/uploads`, {});
    for (let n = 0; n < PICTURES; n++)
      await browser.put(
        `/projects/${COLLECTED}/uploads/${upload}/files?name=round-${round}-${n}.jpg`,
        await picture(round * PICTURES + n),
      );
    const slug = `import-${newId().slice(-8)}`;
    const { id: target } = await createProject(this.db, commandLine, {
      name: slug,
      slug,
      preset: 'part-imagenet',
    });
    const { id: dataset } = await browser.ask<{ id: string }>('POST', `/projects/${slug}/uploads`, {});
    await browser.put(`/projects/${slug}/uploads/${dataset}/files?name=dataset.zip`, this.zip);

    const jobOf = async (at: string, json: unknown) =>
      browser.ask<{ id: string; jobId: string }>('POST', at, json);
    add(
      'import',
      (await jobOf(`/projects/${slug}/uploads/${dataset}/import`, { format: 'coco' })).jobId,
      target,
    );
    add('ingest', (await jobOf(`/projects/${COLLECTED}/uploads/${upload}/finish`, undefined)).jobId, upload);
    // The licence is part of a version's content, so that every round freezes another one.
    const frozen = await jobOf(`/projects/${LABELLED}/versions`, { split, licence: `Round ${round}` });
    add('freeze', frozen.jobId, frozen.jobId);
    if (round % 2 === 0) {
      const [stage] = await this.stage();
      const method = methodsFor('attributes')[0]?.id;
      const run = await jobOf(`/projects/${COLLECTED}/consensus-runs`, { stage: stage?.id, method });
      this.consensus.id = run.id;
      add('consensus', run.jobId, run.id);
    } else {
      const at = `/projects/${COLLECTED}/consensus-runs/${this.consensus.id}/take-back`;
      add('consensus', (await jobOf(at, undefined)).jobId, this.consensus.id);
    }
    if (this.names.includes('training')) {
      const { items } = await browser.ask<{ items: { id: string; jobId: string }[] }>(
        'POST',
        `/projects/${LABELLED}/runs`,
        { version: 'latest', set: short, seeds: [round] },
      );
      add('training', items[0]?.jobId ?? '', items[0]?.id ?? '');
    }
    return started;
  }

  /** Which of them the worker is at. */
  async running(started: readonly Started[]): Promise<Name[]> {
    const found = await this.db
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          eq(jobs.state, 'running'),
          inArray(
            jobs.id,
            started.map(({ jobId }) => jobId),
          ),
        ),
      );
    return started.filter(({ jobId }) => found.some(({ id }) => id === jobId)).map(({ name }) => name);
  }

  count(started: readonly Started[], running: readonly Name[]): void {
    for (const { name } of started) {
      const { begun, hit } = this.hits[name] ?? { begun: 0, hit: 0 };
      this.hits[name] = { begun: begun + 1, hit: hit + (running.includes(name) ? 1 : 0) };
    }
  }

  /** Waits until the jobs have ended, then compares what they made with the undisturbed round. */
  async check(round: number, started: readonly Started[]): Promise<void> {
    await this.ended(started.map(({ jobId }) => jobId));
    const states = await this.db
      .select({ id: jobs.id, state: jobs.state, error: jobs.error })
      .from(jobs)
      .where(
        inArray(
          jobs.id,
          started.map(({ jobId }) => jobId),
        ),
      );
    for (const { name, jobId, about } of started) {
      const job = states.find(({ id }) => id === jobId);
      const fault =
        job?.state !== 'done' ? `${job?.state}: ${job?.error}` : await this.faultOf(name, about, round);
      if (fault) this.broken.set(name, [...(this.broken.get(name) ?? []), `round ${round}: ${fault}`]);
    }
  }

  outcomes(): Outcome[] {
    const says: Record<Name, string> = {
      ingest: 'every file of an upload became one picture',
      import: 'an imported dataset has the images and labels of an undisturbed import',
      freeze: 'a version was frozen once, and verifies',
      consensus: 'labels are those of an undisturbed consensus, or those before it once it is taken back',
      training: 'a run succeeded and gave one model',
    };
    return this.names.map((name) => outcomeOf(name, says[name], this.broken.get(name) ?? []));
  }

  private async faultOf(name: Name, about: string, round: number): Promise<string | null> {
    const { db } = this;
    switch (name) {
      case 'ingest': {
        const files = await db.select().from(uploadFiles).where(eq(uploadFiles.uploadId, about));
        const taken = new Set(files.filter(({ state }) => state === 'accepted').map((file) => file.imageId));
        return taken.size === PICTURES ? null : `${taken.size} of ${PICTURES} pictures`;
      }
      case 'import': {
        const content = await this.contentOf(about);
        return content === this.imported ? null : `${content}, not ${this.imported}`;
      }
      case 'freeze': {
        const projectId = await this.projectId(LABELLED);
        const [job] = await db.select({ result: jobs.result }).from(jobs).where(eq(jobs.id, about));
        const version = String((job?.result as { hash?: string } | null)?.hash);
        const found = await db.select({ id: versions.id }).from(versions).where(eq(versions.hash, version));
        if (found.length !== 1) return `${found.length} versions`;
        return (await verifyVersion(db, storage(), { projectId, version })).problems[0] ?? null;
      }
      case 'consensus': {
        const [run] = await db.select().from(consensusRuns).where(eq(consensusRuns.id, about));
        const isBuilt = round % 2 === 0;
        if (run?.state !== (isBuilt ? 'applied' : 'taken-back')) return `the run is ${run?.state}`;
        const wanted = isBuilt ? this.consensus.after : this.consensus.before;
        return (await this.labelsOfStage()) === wanted ? null : 'other labels than without a kill';
      }
      case 'training': {
        const [run] = await db.select().from(runs).where(eq(runs.id, about));
        const made = await db.select().from(models).where(eq(models.runId, about));
        return run?.state === 'done' && made.length === 1
          ? null
          : `the run ${run?.state}, ${made.length} models`;
      }
    }
  }

  private async ended(ids: string[]): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const open = await this.db
        .select({ id: jobs.id })
        .from(jobs)
        .where(
          and(
            inArray(jobs.id, ids),
            sql`${jobs.state} not in (${sql.join(
              finalStates.map((state) => sql`${state}`),
              sql`, `,
            )})`,
          ),
        );
      if (open.length === 0 || performance.now() > deadline) return;
      await sleep(250);
    }
  }

  private aboutOf(started: readonly Started[], name: Name): string {
    return started.find((each) => each.name === name)?.about ?? '';
  }

  private async projectId(slug: string): Promise<string> {
    const [found] = await this.db.select({ id: projects.id }).from(projects).where(eq(projects.slug, slug));
    return found?.id as string;
  }

  private async stage() {
    const projectId = await this.projectId(COLLECTED);
    return this.db
      .select({ id: stages.id })
      .from(stages)
      .where(and(eq(stages.projectId, projectId), eq(stages.kind, 'attributes')));
  }

  /** Images and current labels of a project, by name and content. */
  private async contentOf(projectId: string): Promise<string> {
    const { rows } = await this.db.execute<{ content: string }>(sql`
      select (select count(*) from ${images} i where i.project_id = ${projectId}) || ' images, ' || count(*) || ' labels '
        || coalesce(md5(string_agg(i.name || b.value::text || coalesce(b.mask, ''), ',' order by i.name, b.value::text, b.mask)), '')
        as content
      from ${labels} b join items t on t.id = b.item_id join ${images} i on i.id = t.image_id
      where t.project_id = ${projectId} and b.is_current`);
    return rows[0]?.content ?? '';
  }

  /** The current labels of the stage in which consensus is built. */
  private async labelsOfStage(): Promise<string> {
    const [stage] = await this.stage();
    const { rows } = await this.db.execute<{ print: string }>(sql`
      select count(*) || ' ' || coalesce(md5(string_agg(t.id::text || b.value::text, ',' order by t.id)), '') as print
      from ${labels} b join items t on t.id = b.item_id
      where t.stage_id = ${stage?.id} and b.is_current`);
    return rows[0]?.print ?? '';
  }
}

async function picture(n: number): Promise<Uint8Array> {
  const scene = generateScene({
    preset: 'rival10',
    className: 'bird',
    seed: 700_000 + n,
    width: 320,
    height: 240,
  });
  return renderScene(scene, { format: 'jpeg', quality: 80 });
}
