import { planChecks } from '@/lib/core/quality/check-rate';
import { examResult } from '@/lib/core/quality/exam';
import type { HistoryCheck } from '@/lib/core/quality/history';
import type { ScoredCheck } from '@/lib/core/quality/posterior';
import { scoreCheck } from '@/lib/core/quality/score-check';
import { suspicionOf } from '@/lib/core/quality/sequential';
import { payFor } from '@/lib/services/crowd/work/pay-for';
import type { Work } from './answer';
import { decide } from './decide';
import { settleItems } from './labels';
import { measure, type Outcome } from './outcome';
import type { Person } from './people';
import { type Random, randomFor, shuffle } from './random';
import { ask, createRun, type Run, type Setting, stageKinds, truthIn } from './run';
import { type Career, type Gold, type Item, newCareer, pickItems, type Stage, type Worker } from './stage';
import { FORM, STRIP, storedAnswer } from './world';

/**
 * Simulates a collection in memory. Checks, scores, exams, decisions about workers, labels and pay are computed by the
 * functions that production uses; only the tables are replaced.
 */
export function runCollection(setting: Setting): Outcome {
  return measure(collect(setting));
}

export function collect(setting: Setting): Run {
  const run = createRun(setting);
  const seats: (Worker | null)[] = Array.from({ length: setting.seats }, () => null);
  for (;;) {
    let isProgress = false;
    for (const [seat, worker] of seats.entries()) {
      const current = worker && canWork(worker) ? worker : recruit(run, seat);
      seats[seat] = current;
      if (current && takeTurn(run, current)) isProgress = true;
    }
    if (isProgress) continue;
    // What is left was met by everybody present: somebody new can do it.
    const someone = hasWork(run) ? recruit(run, 0) : null;
    if (!someone) return run;
    seats[0] = someone;
  }
}

const canWork = ({ careers }: Worker): boolean =>
  stageKinds.some((kind) => careers[kind].standing === 'active');

const hasWork = ({ forms, parts }: Run): boolean =>
  forms.some(({ state }) => state === 'open') ||
  parts.some((list) => list.some((item) => item?.state === 'open'));

/** The next person who passes both exams; null when nobody is left or nothing is to do. */
function recruit(run: Run, seat: number): Worker | null {
  if (!hasWork(run)) return null;
  while (run.recruited < run.people.length) {
    const person = run.people[run.recruited++] as Person;
    const worker: Worker = { person, seat, careers: { attributes: newCareer(), 'part-mask': newCareer() } };
    const passed = stageKinds.every((kind) => passExam(run, run.stages[kind], worker));
    if (!passed) continue;
    run.workers.push(worker);
    return worker;
  }
  return null;
}

/** One batch, of the later stage where it has work. */
function takeTurn(run: Run, worker: Worker): boolean {
  for (const kind of [...stageKinds].reverse()) {
    const career = worker.careers[kind];
    if (career.standing !== 'active') continue;
    const left = run.itemsPerWorker - career.itemsDone;
    const stage = run.stages[kind];
    const { batchSize } = run.arm.policy;
    const size = Math.min(left, kind === 'attributes' ? batchSize.attributes : batchSize.masks);
    const items = pickItems(stage, worker, size);
    if (items.length === 0) continue;
    doBatch(run, stage, worker, items);
    if (career.standing === 'active' && career.itemsDone >= run.itemsPerWorker) career.standing = 'done';
    return true;
  }
  return false;
}

function passExam(run: Run, stage: Stage, worker: Worker): boolean {
  const { policy } = run.arm;
  const { person, careers } = worker;
  const career = careers[stage.kind];
  const [exam, size] =
    stage.kind === 'attributes'
      ? [policy.attributeExam, policy.attributeExam.images]
      : [policy.maskExam, policy.maskExam.masks];
  for (let attempt = 0; attempt < exam.attempts; attempt++) {
    const random = randomFor(run.seed, 8, person.id, FORM === stage.gold[0]?.target ? 0 : 1, attempt);
    const chosen = chooseGold(stage, career, 'exam', size, random);
    if (chosen.length < size) return false;
    const scores = chosen.map((gold) => {
      const { given } = ask(run, person, {
        truth: gold.truth,
        target: gold.target,
        kind: 'exam',
        isGold: true,
        itemsDone: 0,
      });
      const check = scoreOn(run, stage, gold, { given });
      career.goldMet.add(gold.image);
      career.scored.push(scoredCheck(person, gold, { given }, check.score, 'exam'));
      return check.score;
    });
    const finished = { stageKind: stage.kind, kind: 'exam', answered: size, size } as const;
    run.costs.exams += Number(payFor(policy, finished));
    stage.recentChecks.push(career.scored.slice(-size));
    if (examResult(stage.kind, scores, policy).passed) return true;
  }
  return false;
}

/** Least shown first, at random among equals; a worker meets a gold image once. */
function chooseGold(stage: Stage, career: Career, pool: Gold['pool'], count: number, random: Random): Gold[] {
  if (count === 0) return [];
  const free = stage.gold.filter(
    ({ pool: own, image, target }) =>
      own === pool && !career.goldMet.has(image) && !career.pausedTargets.has(target),
  );
  return shuffle(free, random)
    .sort((a, b) => a.exposures - b.exposures)
    .slice(0, count);
}

function doBatch(run: Run, stage: Stage, worker: Worker, items: readonly Item[]): void {
  const { person, careers } = worker;
  const career = careers[stage.kind];
  const { policy } = run.arm;
  const random = randomFor(run.seed, 9, person.id, stage.kind === 'attributes' ? 0 : 1, career.itemsDone);
  const outcomes = career.checks.map(({ passed }) => passed);
  const seen = { itemsDone: career.itemsDone, evidence: suspicionOf(outcomes) };
  const wanted = planChecks(
    policy,
    seen,
    items.map(() => 1),
    random,
  );
  const gold = chooseGold(stage, career, 'check', wanted, random);
  const places = new Set(
    shuffle(
      items.map((_, i) => i),
      random,
    ).slice(0, gold.length),
  );
  const times: number[] = [];
  const scored: ScoredCheck[] = [];
  const answered: Item[] = [];
  for (const [i, item] of items.entries()) {
    const check = places.has(i) ? gold.pop() : undefined;
    const truth = check?.truth ?? truthIn(run, item.image);
    const target = check?.target ?? item.target;
    const isGold = check !== undefined;
    const work = ask(run, person, { truth, target, kind: 'work', isGold, itemsDone: career.itemsDone });
    run.now += 1;
    career.itemsDone += 1;
    times.push(1000 * work.seconds);
    remember(run, career, truth.image, target, work);
    if (check) scored.push(takeCheck(run, stage, worker, check, work));
    else {
      takeAnswer(run, worker, career, item, work);
      answered.push(item);
    }
  }
  const finished = {
    stageKind: stage.kind,
    kind: 'work',
    answered: items.length,
    size: items.length,
  } as const;
  run.costs.work += Number(payFor(policy, finished));
  run.paidItems[stage.kind] += items.length;
  stage.batches += 1;
  stage.recentTimes.push(times);
  stage.recentChecks.push(scored);
  settleItems(run, stage, answered);
  decide(run, stage, worker);
}

function takeAnswer(run: Run, worker: Worker, career: Career, item: Item, { given }: Work): void {
  const answer = { id: `answer-${run.now}`, item, worker, given, at: run.now, isSetAside: false };
  item.met.add(worker.person.id);
  item.answers.push(answer);
  career.work.push(answer);
  run.answers.set(answer.id, answer);
}

/** The traits that rules on behaviour look at. */
function remember(
  run: Run,
  career: Career,
  image: number,
  target: number,
  { given, seconds, vertices }: Work,
): void {
  const isForm = 'marks' in given;
  const kind = isForm ? 'attributes' : given.outline ? 'mask' : 'nothing';
  career.answers.push({
    id: `answer-${run.now}`,
    itemId: String(image),
    imageId: String(image),
    target: target === FORM ? '' : `part-${target}`,
    at: new Date(run.now),
    activeMs: Math.round(1000 * seconds),
    kind,
    vertices: kind === 'mask' ? vertices : null,
    shapesHash: kind === 'mask' ? `${run.now}` : null,
    choicesHash: isForm ? String(given.marks) : null,
    points: vertices,
    isAssisted: false,
    interaction: null,
    repeatsCode: false,
    publicIou: null,
  });
}

function takeCheck(run: Run, stage: Stage, worker: Worker, gold: Gold, { given }: Work): ScoredCheck {
  const { person, careers } = worker;
  const career = careers[stage.kind];
  const { score, passed } = scoreOn(run, stage, gold, { given });
  const check: HistoryCheck = {
    id: `check-${run.now}`,
    goldId: String(gold.image),
    imageId: String(gold.image),
    target: gold.target === FORM ? '' : `part-${gold.target}`,
    at: new Date(run.now),
    passed,
    score,
    expected: null,
    model: null,
  };
  career.checks.push(check);
  career.goldMet.add(gold.image);
  gold.exposures += 1;
  gold.levels.set(person.id, score.level ?? 0);
  gold.sum += score.level ?? 0;
  const scored = scoredCheck(person, gold, { given }, score, 'work');
  career.scored.push(scored);
  return scored;
}

function scoreOn(
  { arm: { policy } }: Run,
  stage: Stage,
  { truth, target }: Gold,
  { given }: Pick<Work, 'given'>,
) {
  const gold = target === FORM ? { marks: truth.marks } : { outline: truth.outlines[target] ?? null };
  const [answer, known] = [storedAnswer(given), storedAnswer(gold)];
  return scoreCheck({ stageKind: stage.kind, answer, gold: known, policy, ...STRIP });
}

function scoredCheck(
  person: Person,
  gold: Gold,
  { given }: Pick<Work, 'given'>,
  score: Record<string, number>,
  kind: ScoredCheck['kind'],
): ScoredCheck {
  return {
    workerId: String(person.id),
    goldId: String(gold.image),
    kind,
    score,
    isPresent: gold.target !== FORM,
    isDrawn: 'outline' in given && given.outline !== null,
  };
}
