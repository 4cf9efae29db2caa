import { answerQuestion, type Notebook, type Question, type Work } from './answer';
import type { Arm } from './arm';
import { castPeople, type Person } from './people';
import type { Answer, Gold, Item, Label, Stage, StageKind, Worker } from './stage';
import { newItem } from './stage';
import { FORM, PARTS, type Truth, truthOf } from './world';

/** A collection to simulate. */
export type Setting = {
  seed: number;
  /** Number of concurrent workers. Workers who leave are replaced while there is work. */
  seats: number;
  /** Items, checks included, after which somebody leaves a stage. */
  itemsPerWorker: number;
  /** Gold images, divided among exams, checks and practice. */
  gold: number;
  /** Share of bad people among all who can be recruited. */
  badShare: number;
  arm: Arm;
};

/** Money in millionths of a dollar. */
export type Costs = { work: number; exams: number; refreshers: number; curator: number; gold: number };

export type Run = Setting & {
  stages: Record<StageKind, Stage>;
  forms: Item[];
  /** By image and target. */
  parts: (Item | undefined)[][];
  truths: Map<number, Truth>;
  notebook: Notebook;
  people: Person[];
  recruited: number;
  workers: Worker[];
  answers: Map<string, Answer>;
  /** Labels that others replaced and took over, by id. */
  replaced: Map<string, Label>;
  costs: Costs;
  /** Paid answers of work, for the conservation of money. */
  paidItems: Record<StageKind, number>;
  /** Logical time: one tick per answer. */
  now: number;
  labels: number;
};

export const stageKinds = ['attributes', 'part-mask'] as const;

/** Gold images have ids from here on. */
const FIRST_GOLD = 1_000_000;
/** Of the capacity of the first crew; the rest is for checks. */
const WORK_SHARE = 0.9;
/** How many crews can be recruited. */
const CREWS = 8;
/** Making gold: a trusted person takes twice as long as a worker, and is paid like a curator. */
const GOLD_SECONDS = { attributes: 60, 'part-mask': 90 };
export const CURATOR_MICRO_PER_SECOND = 25_000_000 / 3600;

export function createRun(setting: Setting): Run {
  const { seed, seats, itemsPerWorker, badShare, arm } = setting;
  const images = Math.round(WORK_SHARE * seats * itemsPerWorker);
  const forms = Array.from({ length: images }, (_, image) => newItem(image, FORM, arm.policy.overlap));
  const gold = makeGold(setting);
  const stage = (kind: StageKind): Stage => ({
    kind,
    urgent: [],
    fresh: kind === 'attributes' ? forms : [],
    next: 0,
    gold: gold[kind],
    goldById: new Map(gold[kind].map((each) => [String(each.image), each])),
    recentChecks: [],
    recentTimes: [],
    batches: 0,
  });
  const goldSeconds = stageKinds.reduce((sum, kind) => sum + GOLD_SECONDS[kind] * gold[kind].length, 0);
  return {
    ...setting,
    stages: { attributes: stage('attributes'), 'part-mask': stage('part-mask') },
    forms,
    parts: forms.map(() => []),
    truths: new Map(),
    notebook: new Set(),
    people: castPeople(seed, seats, badShare, CREWS),
    recruited: 0,
    workers: [],
    answers: new Map(),
    replaced: new Map(),
    costs: { work: 0, exams: 0, refreshers: 0, curator: 0, gold: goldSeconds * CURATOR_MICRO_PER_SECOND },
    paidItems: { attributes: 0, 'part-mask': 0 },
    now: 0,
    labels: 0,
  };
}

/** Pools in the order in which a new project fills them: exams and checks alike, practice less. */
const pools = ['exam', 'check', 'exam', 'check', 'practice'] as const;

function makeGold({ seed, gold }: Setting): Record<StageKind, Gold[]> {
  const made: Record<StageKind, Gold[]> = { attributes: [], 'part-mask': [] };
  for (let n = 0; n < gold; n++) {
    const image = FIRST_GOLD + n;
    const truth = truthOf(seed, image);
    const rest = { image, truth, exposures: 0, levels: new Map(), sum: 0 };
    const pool = pools[n % pools.length] as Gold['pool'];
    made.attributes.push({ ...rest, target: FORM, pool, levels: new Map() });
    const there = Array.from({ length: PARTS }, (_, t) => t).filter((t) => truth.outlines[t]);
    const target = there[n % Math.max(1, there.length)];
    if (target === undefined) continue;
    const partPool = pools[made['part-mask'].length % pools.length] as Gold['pool'];
    made['part-mask'].push({ ...rest, target, pool: partPool, levels: new Map() });
  }
  return made;
}

export function truthIn(run: Run, image: number): Truth {
  const known = run.truths.get(image);
  if (known) return known;
  const truth = truthOf(run.seed, image);
  run.truths.set(image, truth);
  return truth;
}

export function ask(run: Run, person: Person, question: Omit<Question, 'seed'>): Work {
  return answerQuestion(person, { seed: run.seed, ...question }, run.notebook);
}
