import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@/db';
import type { Rng } from '@/lib/demo/scenes/prng';
import { answerQuestion } from '../answer-question';
import { type Behaviour, behaviours, isBadAt } from '../behaviours';
import type { Member } from '../crew';
import { type Hand, handOf, simulateInteraction } from '../interaction';
import type { Question } from '../question';
import { type Client, RequestRefused } from './client';
import type { Career, Floor } from './floor';
import type { SentBatch, SentClosed, SentItem, SentStage, SentWork } from './messages';

type Kind = 'work' | 'exam' | 'practice';
type TakenBatch = { id: string; kind: Kind };

/** Milliseconds between two looks for work when there was none. */
const LOOK_AGAIN = 400;

/** One worker from the first batch to the last: what the gates ask for, then batch after batch. */
export class SimulatedWorker {
  readonly career: Career;
  private readonly random: Rng;
  private readonly behaviour: Behaviour;
  private readonly hand: Hand;
  /** Stages that are shut to this worker for the rest of the run. */
  private readonly shut = new Map<string, string>();

  constructor(
    private readonly member: Member,
    private readonly client: Client,
    private readonly floor: Floor,
  ) {
    const { number, behaviour } = member;
    this.random = floor.random(member.seed);
    this.behaviour = behaviours[behaviour];
    this.hand = handOf(this.behaviour.input ?? 'mouse', this.random.fork('hand'));
    this.career = {
      number,
      behaviour,
      items: 0,
      examItems: 0,
      stoppedAfter: null,
      refreshers: 0,
      earnedMicro: 0n,
      left: 'time over',
    };
  }

  async work(): Promise<Career> {
    const { floor } = this;
    const { signal } = floor;
    while (!signal.aborted) {
      const before = floor.closed;
      const batch = await this.nextBatch();
      if (batch) await this.doBatch(batch.id, batch.kind);
      else if (this.isThrough(floor.closed === before && floor.holding === 0)) break;
      else await sleep(LOOK_AGAIN, undefined, { signal }).catch(() => {});
    }
    await this.lookAtStanding();
    return this.career;
  }

  /** Every stage is shut, or nobody had a batch in hand that more could have followed from while we looked. */
  private isThrough(isQuiet: boolean): boolean {
    const isShutOut = this.shut.size === this.floor.stages.length;
    if (isShutOut) {
      const reasons = [...this.shut.values()];
      const worst = (['ended', 'paused', 'exam', 'limit'] as const).find((why) => reasons.includes(why));
      this.career.left = worst ?? 'work out';
    } else if (isQuiet) this.career.left = 'work out';
    return isShutOut || isQuiet;
  }

  /** Later stages first, so that a picture is finished before the next is begun. */
  private async nextBatch(): Promise<TakenBatch | null> {
    const open = this.floor.stages.filter(({ id }) => !this.shut.has(id));
    for (const stage of [...open].sort((a, b) => b.position - a.position)) {
      const batch = await this.takeIn(stage);
      if (batch) return batch;
    }
    return null;
  }

  private async takeIn(stage: SentStage): Promise<TakenBatch | null> {
    const taken = await this.take(stage, 'batch');
    return typeof taken === 'string' ? this.passGate(stage, taken) : taken;
  }

  /** A batch, null when there is none, or the name of the gate that is closed. */
  private async take(
    stage: SentStage,
    what: 'batch' | 'exam' | 'practice',
  ): Promise<TakenBatch | null | string> {
    const path = `/work/stages/${stage.id}/${what}`;
    const asking = { method: 'POST', expects: [409] } as const;
    try {
      return (await this.client.request<{ batch: TakenBatch | null }>('next batch', path, asking)).batch;
    } catch (error) {
      if (!(error instanceof RequestRefused) || error.status !== 409) throw error;
      return String(error.more.gate ?? 'closed');
    }
  }

  /** Does what a closed gate asks for; one that stays closed shuts the stage. */
  private async passGate(stage: SentStage, gate: string): Promise<TakenBatch | null> {
    if (gate === 'consent') {
      await this.agree();
      return this.takeIn(stage);
    }
    if (gate === 'exam' || gate === 'refresher') {
      if (gate === 'refresher') this.career.refreshers += 1;
      const taken = await this.take(stage, gate === 'exam' ? 'exam' : 'practice');
      if (taken !== null && typeof taken !== 'string') return taken;
      // Where there is no gold to refresh with, the work goes on at once.
      if (gate === 'refresher' && taken === null) return this.takeIn(stage);
    }
    if (gate === 'paused' || gate === 'ended') this.career.stoppedAfter ??= this.career.items;
    this.shut.set(stage.id, gate.startsWith('exam') ? 'exam' : gate);
    return null;
  }

  /** Workers who were stopped after their last batch find out here. */
  private async lookAtStanding(): Promise<void> {
    const { stages } = await this.client.request<SentWork>('list work', '/work');
    this.floor.watch.lookForWords('list of work', stages as never);
    const isStopped = stages.some(({ project, gate }) => {
      return project.id === this.floor.projectId && (gate?.gate === 'paused' || gate?.gate === 'ended');
    });
    if (isStopped) this.career.stoppedAfter ??= this.career.items;
  }

  private async agree(): Promise<void> {
    const path = `/work/projects/${this.floor.projectId}/consent`;
    const { text } = await this.client.request<{ text: { id: string } }>('consent', path);
    await this.client.request('consent', path, { method: 'POST', json: { textId: text.id, isAdult: true } });
  }

  private async doBatch(batchId: string, kind: Kind): Promise<void> {
    this.floor.holding += 1;
    try {
      const batch = await this.client.request<SentBatch>('read batch', `/work/batches/${batchId}`);
      if (kind === 'work') this.floor.watch.lookAtBatch(batch);
      for (const item of batch.items) {
        if (item.state === 'open' && !(await this.answer(batch, item, kind))) break;
      }
      // Part of a batch of work is handed in; nobody hands in half an exam.
      if (kind !== 'work' && this.floor.signal.aborted) return;
      const path = `/work/batches/${batchId}/submit`;
      const closed = await this.client.request<SentClosed>('submit', path, { method: 'POST' });
      if (kind === 'work') this.floor.watch.lookForWords('submit', closed as never);
      const amountMicro = BigInt(closed.pay?.amountMicro ?? 0);
      this.floor.handedIn.push({ batchId, amountMicro });
      this.career.earnedMicro += amountMicro;
    } finally {
      this.floor.holding -= 1;
      this.floor.closed += 1;
    }
  }

  /** False when nothing more is to be answered: the time ran out, or an adaptive exam has seen enough. */
  private async answer(batch: SentBatch, item: SentItem, kind: Kind): Promise<boolean> {
    const question = await this.questionOf(batch, item);
    const { behaviour } = this;
    const { notebook, speed, signal, done } = this.floor;
    const itemsDone = this.career.items;
    const given = answerQuestion(question, {
      behaviour,
      kind: kind === 'work' ? 'work' : 'exam',
      itemsDone,
      notebook,
      random: this.random,
    });
    await sleep(given.activeMs / speed, undefined, { signal }).catch(() => {});
    if (signal.aborted) return false;
    const interaction = simulateInteraction(given.value, this.hand, this.random);
    const json = { id: newId(), ...given, interaction };
    const path = `/work/leases/${item.leaseId}/answer`;
    const { isOver } = await this.client.request<{ isOver: boolean }>('answer', path, {
      method: 'POST',
      json,
    });
    const { stageKind, target, picture } = question;
    const isBad = kind === 'work' && isBadAt(behaviour, itemsDone);
    const { leaseId } = item;
    done.push({
      worker: this.member.number,
      kind,
      stageKind,
      target,
      picture,
      leaseId,
      answerId: json.id,
      isBad,
    });
    if (kind === 'work') this.career.items += 1;
    else this.career.examItems += 1;
    return !isOver;
  }

  private async questionOf(batch: SentBatch, item: SentItem): Promise<Question> {
    const { width, height, working } = item.image;
    const schema = batch.schemas.find(({ id }) => id === item.schemaVersionId) ?? batch.schemas[0];
    if (!schema) throw new Error('A batch carries the schema of its items.');
    const picture = await this.client.hashOf('image', working.url);
    // The whole object is drawn under a name of its own, which is no part.
    const target = batch.stage.kind === 'part-mask' ? (item.target?.id ?? '') : '';
    const scene = this.floor.sceneOf(picture);
    return { stageKind: batch.stage.kind, schema: schema.document, width, height, target, picture, scene };
  }
}
