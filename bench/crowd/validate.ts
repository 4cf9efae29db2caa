/**
 * Validates the in-memory simulator: the same people answer the same questions through the real services and a real
 * PostgreSQL, and the shares of wrong labels are compared. Only what the server decides at random differs (order of
 * items, which gold), so single runs differ and means have to agree.
 *
 *   npm run bench:crowd-validate -- [--seeds 10] [--seats 8] [--items 60] [--gold 100] [--minutes 600]
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import { pairedDifference } from '@/lib/core/statistics/paired';
import { armOf, defaultFactors, type Factors, rival10Factors } from '@/lib/demo/simulation/memory/arm';
import { runCollection } from '@/lib/demo/simulation/memory/collection';
import { isWrongForm, MIN_IOU } from '@/lib/demo/simulation/memory/outcome';
import type { Person } from '@/lib/demo/simulation/memory/people';
import {
  ask,
  createRun,
  type Run,
  type Setting,
  stageKinds,
  truthIn,
} from '@/lib/demo/simulation/memory/run';
import {
  attributeIds,
  FORM,
  frequencies,
  iouOf,
  isMarked,
  marksIn,
  type Outline,
  PARTS,
  STRIP,
  storedAnswer,
} from '@/lib/demo/simulation/memory/world';
import { systemActor } from '@/lib/services/access';
import { askAgain } from '@/lib/services/crowd/trust';
import { CONFIRM_JOB, confirmWork } from '@/lib/services/crowd/trust/confirm-work';
import {
  askFirstQuestions,
  findLeaseImage,
  getBatch,
  submitAnswer,
  submitBatch,
} from '@/lib/services/crowd/work';
import { createProject, getProject } from '@/lib/services/projects';
import { cloneDatabase, startTestServer } from '@/test/support/server';
import { type Account, enrolAs, takeWork } from './crowd';
import { markdown } from './experiment-tables';

process.env.TESSERA_SECRET ??= 'a secret for benches, and for benches only';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    seats: { type: 'string', default: '8' },
    items: { type: 'string', default: '60' },
    gold: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '600' },
  },
});

const {
  blobs,
  gold: goldTable,
  images,
  items,
  jobs,
  labels,
  projects,
  ruleSets,
  schemaVersions,
  stages,
} = tables;
const curator = systemActor('bench');

const schema: DatasetSchema = {
  id: 'strip',
  name: 'Strips',
  description: 'The images of the in-memory simulator.',
  classes: [{ id: 'strip', name: 'Strip' }],
  attributes: attributeIds.map((id, i) => ({
    id,
    name: id,
    kind: i < PARTS ? 'localised' : 'label-only',
    definition: id,
  })),
  attributeGroups: [
    {
      id: 'attributes',
      name: 'Attributes',
      attributes: [...attributeIds],
      min: 1,
      max: frequencies.length,
      exclusiveNone: true,
    },
  ],
  parts: [],
};

type Place = {
  db: Database;
  run: Run;
  projectId: string;
  stageIds: Record<string, string>;
  byBlob: Map<string, number>;
};

async function fill(db: Database, run: Run): Promise<Place> {
  const { id: projectId } = await createProject(db, curator, {
    name: 'strips',
    slug: 'strips',
    preset: 'rival10',
  });
  const version = newId();
  await db
    .insert(schemaVersions)
    .values({ id: version, projectId, number: 2, document: schema, createdBy: null });
  const policy = withoutWaiting(run.arm.policy);
  await db
    .update(projects)
    .set({ state: 'collecting', policy, schemaVersionId: version })
    .where(eq(projects.id, projectId));
  await db.insert(ruleSets).values({ projectId, number: 1, rules: [...run.arm.rules] });
  await db.delete(stages).where(sql`${stages.projectId} = ${projectId} and ${stages.kind} = 'object-mask'`);
  const { schemaVersionId, stages: made } = await getProject(db, projectId);
  const stageIds = Object.fromEntries(made.map(({ id, kind }) => [kind, id]));
  const goldImages = new Set(stageKinds.flatMap((kind) => run.stages[kind].gold.map(({ image }) => image)));
  const rows = [...run.forms.map(({ image }) => image), ...goldImages].map((image) => {
    const id = newId();
    const blob = createHash('sha256').update(id).digest('hex');
    const perceptualHash = BigInt.asIntN(64, BigInt(`0x${blob.slice(0, 16)}`));
    const row = { id, blob, projectId, name: `${image}.jpg`, className: 'strip', ...STRIP };
    return { image, ...row, sourceSha256: blob, perceptualHash };
  });
  for (let from = 0; from < rows.length; from += 500) {
    const chunk = rows.slice(from, from + 500);
    await db
      .insert(blobs)
      .values(chunk.map(({ blob }) => ({ sha256: blob, bytes: 1, mediaType: 'image/jpeg' })));
    await db.insert(images).values(chunk.map(({ image: _, ...row }) => row));
  }
  const idOf = new Map(rows.map(({ image, id }) => [image, id]));
  for (const kind of stageKinds)
    for (const { image, target, truth, pool } of run.stages[kind].gold) {
      const itemId = newId();
      const stored = storedAnswer(
        target === FORM ? { marks: truth.marks } : { outline: truth.outlines[target] ?? null },
      );
      await db.insert(items).values({
        id: itemId,
        projectId,
        stageId: stageIds[kind] as string,
        imageId: idOf.get(image) as string,
        schemaVersionId: schemaVersionId as string,
        target: target === FORM ? '' : (attributeIds[target] as string),
        state: 'settled',
      });
      await db.insert(goldTable).values({ projectId, itemId, ...stored, state: 'active', pool });
    }
  await db.transaction((tx) => askFirstQuestions(tx, { projectId }));
  return { db, run, projectId, stageIds, byBlob: new Map(rows.map(({ blob, image }) => [blob, image])) };
}

/** A day passes between two attempts at an exam; nothing else here depends on the clock. */
const withoutWaiting = (policy: Run['arm']['policy']): Run['arm']['policy'] => ({
  ...policy,
  limits: { ...policy.limits, itemsInAll: Number(options.items), itemsPerDay: null },
  attributeExam: { ...policy.attributeExam, waitHours: 0, practice: 0 },
  maskExam: { ...policy.maskExam, waitHours: 0, practice: 0 },
});

type Seat = {
  person: Person;
  account: Account;
  done: Record<string, number>;
  shut: Set<string>;
};

async function collectWithServices(place: Place): Promise<void> {
  const { run } = place;
  const seats: (Seat | null)[] = Array.from({ length: run.seats }, () => null);
  for (;;) {
    let isProgress = false;
    for (const [i, seat] of seats.entries()) {
      const current = seat && seat.shut.size < stageKinds.length ? seat : await recruit(place);
      seats[i] = current;
      if (current && (await takeTurn(place, current))) isProgress = true;
    }
    if (isProgress) continue;
    const open = await place.db.execute(sql`
      select 1 from ${items} where project_id = ${place.projectId} and state = 'open' limit 1`);
    const next = open.rows.length > 0 ? await recruit(place) : null;
    if (!next) return;
    seats[0] = next;
  }
}

/** The next person who passes both exams. */
async function recruit(place: Place): Promise<Seat | null> {
  const { run, db, projectId } = place;
  while (run.recruited < run.people.length) {
    const person = run.people[run.recruited++] as Person;
    const account = await enrolAs(db, projectId, `person ${person.id}`);
    const seat: Seat = { person, account, done: {}, shut: new Set() };
    const isIn = (await examine(place, seat, 'attributes')) && (await examine(place, seat, 'part-mask'));
    if (isIn) return seat;
  }
  return null;
}

/** Takes the exam of a stage until it is passed or no attempt is left. */
async function examine(place: Place, seat: Seat, kind: string): Promise<boolean> {
  for (;;) {
    const batch = await takeWork(place.db, seat.account, place.stageIds[kind] as string, 'exam');
    if (batch === null || typeof batch === 'string') return batch === 'not-needed';
    await doBatch(place, seat, kind, batch.id, 'exam');
  }
}

async function takeTurn(place: Place, seat: Seat): Promise<boolean> {
  for (const kind of [...stageKinds].reverse()) {
    if (seat.shut.has(kind)) continue;
    const stageId = place.stageIds[kind] as string;
    const batch = await takeWork(place.db, seat.account, stageId, 'work');
    if (batch === null) continue;
    if (typeof batch !== 'string') {
      await doBatch(place, seat, kind, batch.id, 'work');
      return true;
    }
    if (batch === 'refresher') {
      const practice = await takeWork(place.db, seat.account, stageId, 'refresher');
      if (practice !== null && typeof practice !== 'string')
        await doBatch(place, seat, kind, practice.id, 'exam');
      return true;
    }
    seat.shut.add(kind);
    if ((batch === 'paused' || batch === 'ended') && place.run.arm.asksAgain)
      await askAgain(place.db, curator, { stageId, workerId: seat.account.userId });
  }
  return false;
}

async function doBatch(place: Place, seat: Seat, stage: string, batchId: string, kind: 'work' | 'exam') {
  const { db, run, byBlob } = place;
  const batch = await getBatch(db, seat.account, { batchId });
  for (const item of batch.items) {
    const { sha256 } = await findLeaseImage(db, seat.account, { leaseId: item.leaseId });
    const image = byBlob.get(sha256) as number;
    const target = stage === 'attributes' ? FORM : attributeIds.indexOf(item.target?.id ?? '');
    const work = ask(run, seat.person, {
      truth: truthIn(run, image),
      target,
      kind,
      isGold: image >= run.forms.length,
      itemsDone: seat.done[stage] ?? 0,
    });
    const { value } = storedAnswer(work.given);
    const activeMs = Math.round(1000 * work.seconds);
    const answer = {
      leaseId: item.leaseId,
      answerId: newId(),
      value: withCorners(value, work.vertices),
      activeMs,
    };
    const { isOver } = await submitAnswer(db, seat.account, answer);
    if (kind === 'work') seat.done[stage] = (seat.done[stage] ?? 0) + 1;
    if (isOver) break;
  }
  await submitBatch(db, seat.account, { batchId });
  if (kind === 'work') await runConfirmation(place, seat, stage);
}

/** Runs the job that the batch may have queued, because there is no worker process here. */
async function runConfirmation({ db, projectId, stageIds }: Place, { account }: Seat, stage: string) {
  const queued = and(eq(jobs.projectId, projectId), eq(jobs.kind, CONFIRM_JOB), eq(jobs.state, 'queued'));
  const done = { state: 'done' as const, finishedAt: sql`now()` };
  const started = await db.update(jobs).set(done).where(queued).returning({ id: jobs.id });
  if (started.length > 0)
    await confirmWork(db, {
      projectId,
      stageId: stageIds[stage] as string,
      workerId: account.userId,
    });
}

/** The same drawing with as many corners as the person placed, each drawing a little different from all others. */
function withCorners(value: AnswerValue, vertices: number): AnswerValue {
  if (value.kind !== 'mask') return value;
  const shapes = value.shapes.map((shape) => {
    if (shape.kind !== 'polygon') return shape;
    const [from = 0, , to = 0] = Array.from(shape.outer);
    const along = Array.from({ length: Math.max(0, vertices - 4) }, (_, i) => {
      const x = from + ((i + 1) * (to - from)) / (vertices - 3);
      return [Math.round(10 * x) / 10 + Math.random() / 1000, 0];
    });
    return { ...shape, outer: [from, 0, ...along.flat(), to, 0, to, STRIP.height, from, STRIP.height] };
  });
  return { ...value, shapes };
}

async function wrongShareOf({ db, run, projectId, byBlob }: Place): Promise<number> {
  const found = await db
    .select({ value: labels.value, target: labels.target, blob: images.blob })
    .from(labels)
    .innerJoin(images, eq(images.id, labels.imageId))
    .innerJoin(items, eq(items.id, labels.itemId))
    .where(sql`${labels.projectId} = ${projectId} and ${labels.isCurrent} and ${items.state} <> 'withdrawn'`);
  const byPlace = new Map(
    found.map(({ value, target, blob }) => [`${byBlob.get(blob)} ${target}`, value as AnswerValue]),
  );
  let [total, wrong] = [0, 0];
  for (const { image } of run.forms) {
    const truth = truthIn(run, image);
    const form = byPlace.get(`${image} `);
    total += 1;
    if (!form || isWrongForm(marksIn(form), truth.marks)) wrong += 1;
    for (let target = 0; target < PARTS; target++) {
      const drawn = outlineOf(byPlace.get(`${image} ${attributeIds[target]}`));
      const there = isMarked(truth.marks, target) ? (truth.outlines[target] ?? null) : null;
      if (!drawn && !there) continue;
      total += 1;
      if (!drawn || iouOf(drawn, there) < MIN_IOU) wrong += 1;
    }
  }
  return wrong / total;
}

function outlineOf(value: AnswerValue | undefined): Outline {
  const shape = value?.kind === 'mask' ? value.shapes[0] : undefined;
  if (shape?.kind !== 'polygon') return null;
  const xs = Array.from(shape.outer).filter((_, i) => i % 2 === 0);
  return { from: Math.min(...xs), to: Math.max(...xs) };
}

const cells: { factors: Factors; badShare: number }[] = [
  rival10Factors,
  { ...rival10Factors, asksAgain: true },
  defaultFactors,
].flatMap((factors) => [0, 0.36].map((badShare) => ({ factors, badShare })));

const server = await startTestServer();
const end = Date.now() + 60_000 * Number(options.minutes);
const pairs = cells.map((): { memory: number; services: number }[] => []);
try {
  for (let seed = 1; seed <= Number(options.seeds) && Date.now() < end; seed++)
    for (const [i, { factors, badShare }] of cells.entries()) {
      if (Date.now() > end) break;
      const [seats, itemsPerWorker, gold] = [options.seats, options.items, options.gold].map(Number) as [
        number,
        number,
        number,
      ];
      const setting: Setting = { seed, seats, itemsPerWorker, gold, badShare, arm: armOf(factors) };
      const { wrong, labels: total } = runCollection(setting);
      const { db, drop } = await cloneDatabase(server.adminUrl);
      const place = await fill(db, createRun(setting));
      await collectWithServices(place);
      const services = await wrongShareOf(place);
      await drop();
      pairs[i]?.push({ memory: wrong / total, services });
      console.error(`seed ${seed}, ${setting.arm.name}, ${badShare}: ${wrong / total} ${services}`);
    }
} finally {
  await server.stop();
}
const mean = (list: readonly number[]) =>
  list.reduce((sum, each) => sum + each, 0) / Math.max(1, list.length);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
console.log(
  markdown(
    ['arm', 'bad workers', 'seeds', 'in memory', 'services', 'difference, points (95 %)', 'within 2 points'],
    cells.map(({ factors, badShare }, i) => {
      const own = pairs[i] ?? [];
      const {
        mean: value,
        low,
        high,
      } = pairedDifference(own.map(({ memory, services }) => 100 * (memory - services)));
      return [
        armOf(factors).name,
        percent(badShare),
        String(own.length),
        percent(mean(own.map(({ memory }) => memory))),
        percent(mean(own.map(({ services }) => services))),
        `${value.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`,
        Math.abs(value) <= 2 ? 'yes' : 'no',
      ];
    }),
  ),
);
