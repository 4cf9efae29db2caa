import type { GoldPool } from '@/db/schema';
import { area, encodeCounts } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { examResult } from '@/lib/core/quality/exam';
import type { Policy } from '@/lib/core/quality/policy';
import {
  formRules,
  frequenciesOf,
  type ScoredCheck,
  type StagePrior,
  type StageReliability,
  settle,
  sharedErrorOf,
  stageReliability,
} from '@/lib/core/quality/posterior';
import { type CheckScore, positivesOf, scoreCheck } from '@/lib/core/quality/score-check';
import { localisedAttributes } from '@/lib/core/schema/attributes';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { choosePool, neededImages } from '@/lib/services/crowd/gold/assign-pool';
import { outcomeOf } from '@/lib/services/crowd/work/join-answers';
import { Book } from './book';
import {
  type Answered,
  type DemoImage,
  type DemoItem,
  type DemoStage,
  truthAnswer,
  workThrough,
} from './past-work';
import { type DemoWorker, sloppy } from './people';

export type DemoProject = {
  id: string;
  schema: DatasetSchema;
  schemaVersionId: string;
  policy: Policy;
  stages: { attributes: DemoStage; objectMask: DemoStage; partMask: DemoStage };
};

/** An answer and who gave it. */
type Given = Answered & { worker: DemoWorker };

/** What an item came to. */
type Settled = { item: DemoItem; value: AnswerValue };

type Gold = { goldId: string; item: DemoItem; stage: DemoStage; pool: GoldPool; exposures: number };

/** How far the work on a chunk of pictures has come. */
export type Reach = 'untouched' | 'attributes' | 'masks';

const HOUR = 3_600_000;

/**
 * The past of a RIVAL10 collection, told chunk by chunk: gold first, then exams, then paid batches with
 * hidden checks. The same seed tells the same story.
 */
export class Collection {
  private readonly gold: Gold[] = [];
  private readonly seen = new Map<string, Set<string>>();
  private readonly scored: (ScoredCheck & { stage: DemoStage })[] = [];
  private readonly trust = new Map<
    DemoStage,
    { checks: number; reliability: StageReliability; prior: StagePrior }
  >();
  private readonly localised: Set<string>;
  private turn = 0;

  constructor(
    private readonly project: DemoProject,
    private readonly workers: DemoWorker[],
    private readonly workerId: (worker: DemoWorker) => string,
    private readonly authorId: string,
    private readonly start: Date,
  ) {
    this.localised = new Set(localisedAttributes(project.schema).map((attribute) => attribute.id));
  }

  /** The first pictures become gold, and every worker sits the exams made of it until one is failed. */
  openWithExams(pictures: DemoImage[]): Book {
    const book = new Book();
    const { stages, policy } = this.project;
    for (const image of pictures) {
      this.addGold(book, stages.attributes, image);
      this.addGold(book, stages.objectMask, image);
      // All of them: beside one that is asked, the others are shown, as on any picture with labels.
      const parts = Object.keys(image.scene.attributeMasks).filter((id) => this.localised.has(id));
      for (const part of parts) this.addGold(book, stages.partMask, image, part);
    }
    const passed = this.workers.filter((worker, i) => {
      const exams = [
        [stages.attributes, policy.attributeExam.images],
        [stages.objectMask, policy.maskExam.masks],
        [stages.partMask, policy.maskExam.masks],
      ] as const;
      return exams.every(([stage, count], n) => {
        const at = new Date(this.start.getTime() + (i + n) * HOUR);
        // The seed lets both workers who can sign in pass.
        return this.sit(book, worker, stage, count, at, 100 * n + i + 7);
      });
    });
    this.workers.splice(0, this.workers.length, ...passed);
    return book;
  }

  /** An ordinary chunk: its questions, and the work that `people` for each have done on them so far. */
  addChunk(pictures: DemoImage[], reach: Reach, at: Date, people = 1): Book {
    const book = new Book();
    const { stages } = this.project;
    const done = reach === 'untouched' ? 0 : people;
    const asked = pictures.map((image) => this.addItem(book, stages.attributes, image, '', done));
    if (done === 0) return book;
    const answers = this.inBatches(book, stages.attributes, asked, at, people);
    const drawn = reach === 'masks' ? people : 0;
    const objects = pictures.map((image) => this.addItem(book, stages.objectMask, image, '', drawn));
    const parts = answers.flatMap((answer) => this.addMaskItems(book, answer, drawn));
    if (reach === 'masks') {
      this.inBatches(book, stages.objectMask, objects, new Date(at.getTime() + 6 * HOUR), people);
      this.inBatches(book, stages.partMask, parts, new Date(at.getTime() + 9 * HOUR), people);
    }
    return book;
  }

  /** Every positive localised attribute becomes a question of its own. */
  private addMaskItems(book: Book, answer: Settled, answers: number): DemoItem[] {
    return positivesOf(answer.value)
      .filter((attribute) => this.localised.has(attribute))
      .map((attribute) =>
        this.addItem(book, this.project.stages.partMask, answer.item.image, attribute, answers),
      );
  }

  private addItem(book: Book, stage: DemoStage, image: DemoImage, target: string, answers: number): DemoItem {
    const id = book.add('items', {
      projectId: this.project.id,
      stageId: stage.id,
      imageId: image.id,
      schemaVersionId: this.project.schemaVersionId,
      target,
      state: answers > 0 ? 'settled' : 'open',
      overlap: Math.max(answers, this.project.policy.overlap),
      answered: answers,
    });
    return { id, image, target };
  }

  private addGold(book: Book, stage: DemoStage, image: DemoImage, target = ''): void {
    const item = this.addItem(book, stage, image, target, 1);
    const truth = truthAnswer(stage, item, this.project.schema);
    const pool = this.poolOf(stage, image);
    const goldId = book.add('gold', {
      projectId: this.project.id,
      itemId: item.id,
      value: truth.value,
      mask: truth.mask ? encodeCounts(truth.mask) : null,
      state: 'active',
      pool,
      authorId: this.authorId,
      createdAt: this.start,
    });
    // As gold that is put in use leaves it: it is known, so it is labelled.
    book.add('labels', {
      projectId: this.project.id,
      itemId: item.id,
      imageId: image.id,
      target,
      value: truth.value,
      mask: truth.mask ? encodeCounts(truth.mask) : null,
      area: truth.mask ? area(truth.mask) : null,
      source: 'correction',
      provenance: { method: 'gold', gold: goldId },
      confidence: 1,
      createdAt: this.start,
    });
    this.gold.push({ goldId, item, stage, pool, exposures: 0 });
  }

  /** Divides gold images among the pools as the product does. */
  private poolOf(stage: DemoStage, image: DemoImage): GoldPool {
    const own = this.gold.filter((gold) => gold.stage === stage);
    const known = own.find((gold) => gold.item.image === image);
    if (known) return known.pool;
    const images = (pool: GoldPool) =>
      new Set(own.filter((gold) => gold.pool === pool).map((gold) => gold.item.image.id)).size;
    const counts = { check: images('check'), exam: images('exam'), practice: images('practice') };
    const elsewhere = this.gold.filter((gold) => gold.item.image === image).map(({ pool }) => pool);
    return choosePool(neededImages(this.project.policy, stage.kind), counts, elsewhere);
  }

  private sit(
    book: Book,
    worker: DemoWorker,
    stage: DemoStage,
    count: number,
    at: Date,
    seed: number,
  ): boolean {
    const chosen = this.freshGold(worker, stage, 'exam', count);
    const { batchId, answered, finishedAt } = workThrough(
      this.setting(book),
      worker,
      stage,
      chosen.map((gold) => gold.item),
      { kind: 'exam', at, seed },
    );
    const scores = answered.map((answer, i) =>
      this.addCheck(book, worker, chosen[i] as Gold, answer, 'exam'),
    );
    const result = examResult(stage.kind, scores, this.project.policy);
    book.add('exams', {
      projectId: this.project.id,
      stageId: stage.id,
      workerId: this.workerId(worker),
      batchId,
      attempt: 1,
      ...result,
      createdAt: at,
      finishedAt,
    });
    return result.passed;
  }

  /** Hands the items out in batches, each to the next workers, each with a hidden check, and settles them. */
  private inBatches(book: Book, stage: DemoStage, list: DemoItem[], at: Date, people: number): Settled[] {
    const { policy } = this.project;
    const size = stage.kind === 'attributes' ? policy.batchSize.attributes : policy.batchSize.masks;
    const settled: Settled[] = [];
    for (let from = 0; from < list.length; from += size - 1) {
      const own = list.slice(from, from + size - 1);
      const start = new Date(at.getTime() + (from / size) * 0.7 * HOUR);
      // The next workers in turn are different people.
      const given = Array.from({ length: people }, () => this.oneBatch(book, stage, own, start));
      own.forEach((item, i) => {
        const answers = given.map((batch) => batch[i] as Given);
        settled.push({ item, value: this.settle(book, stage, item, answers) });
      });
    }
    return settled;
  }

  private oneBatch(book: Book, stage: DemoStage, own: DemoItem[], at: Date): Given[] {
    const worker = this.nextWorker();
    const check = this.freshGold(worker, stage, 'check', 1)[0];
    const list = check ? [...own, check.item] : own;
    const { answered } = workThrough(this.setting(book), worker, stage, list, {
      kind: 'work',
      at,
      seed: 1000 + this.turn,
      checkItem: check?.item.id,
    });
    if (check) this.addCheck(book, worker, check, answered[own.length] as Answered, 'work');
    return answered.slice(0, own.length).map((answer) => ({ ...answer, worker }));
  }

  private nextWorker(): DemoWorker {
    const worker = this.workers[this.turn % this.workers.length] as DemoWorker;
    const round = Math.floor(this.turn++ / this.workers.length);
    const isTired = worker.tiresAfter !== undefined && round >= worker.tiresAfter;
    return isTired ? { ...worker, skill: sloppy, secondsPerItem: worker.secondsPerItem / 3 } : worker;
  }

  private addCheck(
    book: Book,
    worker: DemoWorker,
    gold: Gold,
    answer: Answered,
    kind: 'work' | 'exam',
  ): CheckScore['score'] {
    const { score, passed } = this.score(gold, answer);
    gold.exposures += 1;
    book.add('checks', {
      leaseId: answer.leaseId,
      goldId: gold.goldId,
      workerId: this.workerId(worker),
      score,
      passed,
      createdAt: answer.at,
      scoredAt: answer.at,
    });
    this.scored.push({
      stage: gold.stage,
      workerId: this.workerId(worker),
      goldId: gold.goldId,
      kind,
      score,
      isPresent: truthAnswer(gold.stage, gold.item, this.project.schema).mask !== null,
      isDrawn: answer.mask !== null,
    });
    return score;
  }

  /** What the checks of a stage say so far, as the product estimates it. */
  private trustIn(stage: DemoStage) {
    const checks = this.scored.filter((check) => check.stage === stage);
    const known = this.trust.get(stage);
    if (known?.checks === checks.length) return known;
    const { schema, policy } = this.project;
    const attributes = stage.kind === 'attributes' ? schema.attributes.map(({ id }) => id) : [];
    const facts = { attributes, bar: policy.maskExam.minMeanIou };
    const reliability = stageReliability(checks, facts, policy.trustPrior);
    const prior = {
      ...formRules(schema),
      frequencies: frequenciesOf(checks, facts),
      sharedError: sharedErrorOf(checks, facts),
    };
    const fresh = { checks: checks.length, reliability, prior };
    this.trust.set(stage, fresh);
    return fresh;
  }

  private readonly scoredKey = (worker: DemoWorker, stage: DemoStage) => `${worker.key} ${stage.kind}`;

  /** Writes the label as the product would have made it from these answers. */
  private settle(book: Book, stage: DemoStage, item: DemoItem, given: readonly Given[]): AnswerValue {
    const { reliability, prior } = this.trustIn(stage);
    const checksOf = (workerId: string) =>
      this.scored.filter((check) => check.stage === stage && check.workerId === workerId);
    const weighed = given.map(({ answerId, worker, value, mask }) => ({
      id: answerId,
      itemId: item.id,
      workerId: this.workerId(worker),
      value,
      mask: mask ? encodeCounts(mask) : null,
      area: mask ? area(mask) : null,
      ...reliability.of(checksOf(this.workerId(worker))),
    }));
    const joined = settle(weighed, this.project.policy, item.image.scene, prior);
    const last = given.at(-1);
    if (!joined || !last) throw new Error('A settled item has answers.');
    const {
      value,
      mask,
      area: pixels,
      source,
      provenance,
      confidence,
    } = outcomeOf(weighed, joined, item.image.scene);
    book.add('labels', {
      projectId: this.project.id,
      itemId: item.id,
      imageId: item.image.id,
      target: item.target,
      value,
      mask,
      area: pixels,
      source,
      provenance,
      confidence,
      createdAt: last.at,
    });
    return value;
  }

  private score(gold: Gold, answer: Answered): CheckScore {
    const { height, width } = gold.item.image.scene;
    const known = ({ value, mask }: Pick<Answered, 'value' | 'mask'>) => ({
      value,
      mask: mask ? encodeCounts(mask) : null,
    });
    return scoreCheck({
      stageKind: gold.stage.kind,
      answer: known(answer),
      gold: known(truthAnswer(gold.stage, gold.item, this.project.schema)),
      height,
      width,
      policy: this.project.policy,
    });
  }

  /** Gold of a stage on pictures that this worker has not met there; no gold is shown twice to one person. */
  private freshGold(worker: DemoWorker, stage: DemoStage, pool: GoldPool, count: number): Gold[] {
    const key = this.scoredKey(worker, stage);
    const met = this.seen.get(key) ?? new Set<string>();
    this.seen.set(key, met);
    const fresh: Gold[] = [];
    for (const gold of this.gold) {
      if (fresh.length === count) break;
      if (gold.stage !== stage || gold.pool !== pool || met.has(gold.item.image.id)) continue;
      met.add(gold.item.image.id);
      fresh.push(gold);
    }
    return fresh;
  }

  /** How often each gold item was shown, for the rows that were written before. */
  exposures(): { goldId: string; exposures: number }[] {
    return this.gold.map(({ goldId, exposures }) => ({ goldId, exposures }));
  }

  private setting(book: Book) {
    const { id, schema, policy } = this.project;
    return { book, projectId: id, schema, policy, workerId: this.workerId };
  }
}
