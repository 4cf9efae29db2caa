import { forEachConcurrently } from '@/lib/core/concurrency';
import type { Outcome } from '../score-label';
import type { Client } from './client';
import { blobIn, type SentImage, type SentImageDetail, type SentProject } from './messages';

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
    return this.client.ask('curator', `/projects/${encodeURIComponent(this.slug)}`);
  }

  /** A token with a seat for each. */
  async invite(seats: number): Promise<string> {
    const json = { roles: ['worker'], seats, expiresAt: new Date(Date.now() + DAY_MS).toISOString() };
    const path = `/projects/${encodeURIComponent(this.slug)}/invitations`;
    return (await this.client.ask<{ token: string }>('curator', path, { method: 'POST', json })).token;
  }

  async images(): Promise<SentImage[]> {
    const found: SentImage[] = [];
    let cursor = '';
    do {
      const path = `/projects/${encodeURIComponent(this.slug)}/images?limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
      const page = await this.client.ask<{ items: SentImage[]; next: string | null }>('curator', path);
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
    return this.client.ask('curator', path);
  }
}

/** What a project holds about one question by now. */
export interface Settled {
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
