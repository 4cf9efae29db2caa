import type { KnownScenes } from '../known-scenes';
import { qualityOf, scoreOutcome } from '../score-label';
import type { Settled } from './curator';
import type { Done } from './floor';
import type { SentImage } from './messages';
import type { SimulationReport } from './report';

const keyOf = (imageId: string, stageKind: string, target: string) => `${imageId} ${stageKind} ${target}`;

/** The labels of the questions that this run worked on, held against what the generator knows. */
export function judgeLabels(
  settled: readonly Settled[],
  done: readonly Done[],
  pictures: ReadonlyMap<string, SentImage>,
  scenes: KnownScenes | null,
): { labels: number; quality: SimulationReport['quality'] } {
  const worked = new Map<string, boolean>();
  for (const { kind, picture, stageKind, target, isBad } of done) {
    const image = pictures.get(picture);
    if (kind !== 'work' || !image) continue;
    const key = keyOf(image.id, stageKind, target);
    worked.set(key, isBad || (worked.get(key) ?? false));
  }
  const labelled = settled.flatMap(({ image, outcome }) => {
    const byBadWorker = outcome && worked.get(keyOf(image.id, outcome.stageKind, outcome.target));
    return outcome && byBadWorker !== undefined ? [{ image, outcome, byBadWorker }] : [];
  });
  const scored = labelled.flatMap(({ image, outcome, byBadWorker }) => {
    const scene = scenes?.of(image);
    return scene ? [{ ...scoreOutcome(outcome, scene), byBadWorker }] : [];
  });
  const wrongByBadWorkers = scored.filter(({ isWrong, byBadWorker }) => isWrong && byBadWorker).length;
  const quality = scored.length > 0 ? { ...qualityOf(scored), wrongByBadWorkers } : null;
  return { labels: labelled.length, quality };
}
