import { type Database, newId, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { answerQuestion } from '@/lib/demo/simulation/answer-question';
import { type Behaviour, behaviours, isBadAt } from '@/lib/demo/simulation/behaviours';
import type { Member } from '@/lib/demo/simulation/crew';
import { handOf, simulateInteraction, type Hand as WritingHand } from '@/lib/demo/simulation/interaction';
import type { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import type { Notebook } from '@/lib/demo/simulation/question';
import type { UserActor } from '@/lib/services/access';
import { agree, newestText } from '@/lib/services/crowd/consent';
import { findLeaseImage, getBatch, submitAnswer, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import type { Filled } from './fill';

/** What became of one worker in one stage. */
export interface StageCareer {
  items: number;
  /** Items answered badly on purpose or for want of care. */
  badItems: number;
  isStopped: boolean;
}

export interface Hand {
  member: Member;
  actor: UserActor;
  random: Rng;
  writing: WritingHand;
  items: number;
  stages: Map<string, StageCareer>;
  shut: Set<string>;
}

export interface Setting {
  db: Database;
  project: Filled;
  scenes: KnownScenes;
  notebook: Notebook;
  /** Answers that were bad work when they were given. */
  badAnswers: Set<string>;
  /** Somebody was stopped in a stage just now. */
  onStop(hand: Hand, stageId: string): Promise<void>;
}

/** A worker of a project as the services see them. */
export type Account = UserActor;

/** Creates an account with a consent. */
export async function enrolAs(db: Database, projectId: string, name: string): Promise<Account> {
  const userId = newId();
  const email = `${userId}@example.org`;
  await db.insert(tables.users).values({ id: userId, name, email });
  await db.insert(tables.memberships).values({ projectId, userId, role: 'worker' });
  const rest = {
    via: 'session',
    credentialId: newId(),
    isAdmin: false,
    scopes: null,
    requestId: null,
  } as const;
  const actor: UserActor = { kind: 'user', userId, name, email, ...rest };
  const text = await newestText(db, projectId);
  await agree(db, actor, { projectId, textId: text.id, isAdult: true });
  return actor;
}

/** A member of the crew with an account and a consent. */
export async function enrol({ db, project }: Setting, member: Member): Promise<Hand> {
  const actor = await enrolAs(db, project.projectId, `${member.behaviour} ${member.number}`);
  const random = createRng(member.seed).fork('answers');
  const { input = 'mouse' }: Behaviour = behaviours[member.behaviour];
  const writing = handOf(input, random.fork('hand'));
  return { member, actor, random, writing, items: 0, stages: new Map(), shut: new Set() };
}

/** One batch of whatever stage has work, later stages first; null when there is none. Returns what was paid. */
export async function workOnce(setting: Setting, hand: Hand): Promise<bigint | null> {
  const stages = [...setting.project.stages].sort((a, b) => b.position - a.position);
  for (const { id } of stages) {
    if (hand.shut.has(id)) continue;
    const batch = await takeIn(setting, hand, id);
    if (batch) return doBatch(setting, hand, id, batch);
  }
  return null;
}

type Taken = NonNullable<Awaited<ReturnType<typeof takeBatch>>>;

async function takeIn(setting: Setting, hand: Hand, stageId: string): Promise<Taken | null> {
  const taken = await take(setting, hand, stageId, 'work');
  if (typeof taken !== 'string') return taken;
  if (taken === 'exam' || taken === 'refresher') {
    const asked = await take(setting, hand, stageId, taken);
    if (asked !== null && typeof asked !== 'string') return asked;
    // Where there is no gold to refresh with, the work goes on at once.
    if (taken === 'refresher' && asked === null) return takeIn(setting, hand, stageId);
  }
  hand.shut.add(stageId);
  if (taken === 'paused' || taken === 'ended') {
    careerOf(hand, stageId).isStopped = true;
    await setting.onStop(hand, stageId);
  }
  return null;
}

const take = ({ db }: Setting, { actor }: Hand, stageId: string, kind: 'work' | 'exam' | 'refresher') =>
  takeWork(db, actor, stageId, kind);

/** A batch, null when there is none, or the name of the gate that is closed. */
export async function takeWork(
  db: Database,
  actor: Account,
  stageId: string,
  kind: 'work' | 'exam' | 'refresher',
): Promise<Taken | null | string> {
  try {
    return await takeBatch(db, actor, { stageId, kind });
  } catch (error) {
    if (error instanceof TesseraError && error.detail?.gate) return String(error.detail.gate);
    throw error;
  }
}

function careerOf(hand: Hand, stageId: string): StageCareer {
  const career = hand.stages.get(stageId) ?? { items: 0, badItems: 0, isStopped: false };
  hand.stages.set(stageId, career);
  return career;
}

async function doBatch(setting: Setting, hand: Hand, stageId: string, { id, kind }: Taken): Promise<bigint> {
  const { db, project, scenes, notebook, badAnswers } = setting;
  const behaviour = behaviours[hand.member.behaviour];
  const batch = await getBatch(db, hand.actor, { batchId: id });
  for (const item of batch.items) {
    const { sha256: picture } = await findLeaseImage(db, hand.actor, { leaseId: item.leaseId });
    const known = project.pictures.get(picture);
    const question = {
      stageKind: batch.stage.kind,
      schema: project.schema,
      width: item.image.width,
      height: item.image.height,
      target: batch.stage.kind === 'part-mask' ? (item.target?.id ?? '') : '',
      picture,
      scene: known ? scenes.of(known) : null,
    };
    const isWork = kind === 'work';
    const situation = { behaviour, itemsDone: hand.items, notebook, random: hand.random };
    const given = answerQuestion(question, { ...situation, kind: isWork ? 'work' : 'exam' });
    const answerId = newId();
    const interaction = simulateInteraction(given.value, hand.writing, hand.random);
    const { isOver } = await submitAnswer(db, hand.actor, {
      leaseId: item.leaseId,
      answerId,
      interaction,
      ...given,
    });
    if (isOver) break;
    if (!isWork) continue;
    const isBad = isBadAt(behaviour, hand.items);
    const career = careerOf(hand, stageId);
    if (isBad) badAnswers.add(answerId);
    career.items += 1;
    career.badItems += isBad ? 1 : 0;
    hand.items += 1;
  }
  const closed = await submitBatch(db, hand.actor, { batchId: id });
  return closed.pay?.amountMicro ?? 0n;
}
