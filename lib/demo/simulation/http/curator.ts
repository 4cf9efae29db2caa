import { forEachConcurrently } from '@/lib/core/concurrency';
import type { KnownScenes } from '../known-scenes';
import { type Outcome, qualityOf, scoreOutcome } from '../score-label';
import type { Client } from './client';
import type { Done } from './floor';
import { blobIn, type SentImage, type SentImageDetail, type SentProject } from './messages';
import type { SimulationReport } from './report';

const DAY_MS = 86_400_000;
const PAGE = 200;
/** Images asked for at a time: the API's brake lets one person have about 100 a second. */
const AT_ONCE = 4;

/** Somebody who runs the project: lets the crowd in, and looks at what came of its work. */
export class Curator {
  constructor(
    private readonly client: Client,
    private readonly slug: string,
  ) {}

  project(): Promise<SentProject> {
    return this.client.request('curator', `/projects/${encodeURIComponent(this.slug)}`);
  }

  /** A token with a seat for each. */
  async invite(seats: number): Promise<string> {
    const json = { roles: ['worker'], seats, expiresAt: new Date(Date.now() + DAY_MS).toISOString() };
    const path = `/projects/${encodeURIComponent(this.slug)}/invitations`;
    return (await this.client.request<{ token: string }>('curator', path, { method: 'POST', json })).token;
  }

  async images(): Promise<SentImage[]> {
    const found: SentImage[] = [];
    let cursor = '';
    do {
      const path = `/projects/${encodeURIComponent(this.slug)}/images?limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
      const page = await this.client.request<{ items: SentImage[]; next: string | null }>('curator', path);
      found.push(...page.items);
      cursor = page.next ?? '';
    } while (cursor);
    return found;
  }

  /** By the blob that workers are shown. */
  async imagesByBlob(): Promise<Map<string, SentImage>> {
    const byBlob = new Map<string, SentImage>();
    await forEachConcurrently(AT_ONCE, await this.images(), async ({ id }) => {
      const image = await this.image(id);
      byBlob.set(blobIn((image.working ?? image.original).url), image);
    });
    return byBlob;
  }

  image(id: string): Promise<SentImageDetail> {
    const path = `/projects/${encodeURIComponent(this.slug)}/images/${id}`;
    return this.client.request('curator', path);
  }
}

/** What a project holds about one question by now. */
interface Settled {
  image: SentImage;
  isDouble: boolean;
  outcome: Outcome | null;
}

export async function settledOf(curator: Curator, imageIds: readonly string[]): Promise<Settled[]> {
  const settled: Settled[] = [];
  await forEachConcurrently(AT_ONCE, imageIds, async (id) => {
    const image = await curator.image(id);
    for (const { stageKind, target, overlap, answered, label } of image.items) {
      const outcome = label && { stageKind, target, value: label.value, mask: label.mask };
      settled.push({ image, isDouble: answered > overlap, outcome });
    }
  });
  return settled;
}

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
