import { newId } from '@/db';
import type { Attack, Guess, Suspicion } from './active';
import { itemsOf } from './passive';
import { junkFor } from './project';
import { newcomer, type SeenItem, submit, Visitor } from './visitor';

/** Reports one target of each image as broken; a second account looks which of these images it receives. */
export const reportedItems: Attack = {
  name: 'reported-items',
  does: 'Reports one target of each image as broken and looks with a second account which images are free now.',
  async run(db, target, rounds) {
    const guesses: Guess[] = [];
    const [reporter, second] = [await newcomer(db, target), await newcomer(db, target)];
    for (let n = 0; n < rounds; n++) {
      const batch = await reporter.take();
      if (!batch) break;
      const images = new Map<string, SeenItem[]>();
      for (const item of batch.items) {
        const pixels = await reporter.pixels(item);
        images.set(pixels, [...(images.get(pixels) ?? []), item]);
      }
      for (const [first] of images.values())
        await reporter.json('POST', `/work/leases/${first?.leaseId}/report`, {
          id: newId(),
          kind: 'broken-image',
        });
      const received = new Set<string>();
      const other = await second.take();
      // Answered, because empty batches are limited.
      for (const item of other?.items ?? []) {
        received.add(await second.pixels(item));
        await second.answer(item.leaseId, junkFor(target));
      }
      if (other) await submit(second, other.id);
      const suspicion: Suspicion = new Map();
      for (const [pixels, [, ...others]] of images)
        for (const { leaseId } of others) suspicion.set(leaseId, Number(!received.has(pixels)));
      for (const leaseId of suspicion.keys()) await reporter.answer(leaseId, junkFor(target));
      await submit(reporter, batch.id);
      const items = batch.items.filter(({ leaseId }) => suspicion.has(leaseId));
      if (items.length > 0) guesses.push({ items, suspicion });
    }
    return guesses;
  },
};

/** Harvests practice with throw-away accounts, and looks for the same pixels at work. */
export const practiceHarvest: Attack = {
  name: 'practice-harvesting',
  does: 'Repeats practice with several accounts, keeps the pixels and their answers, and looks for them at work.',
  async run(db, target, rounds) {
    const known = new Set<string>();
    for (let account = 0; account < 6; account++) {
      const visitor = await Visitor.join(db, target, { isQualified: false });
      for (let n = 0; n < 6; n++) {
        const batch = await visitor.take('practice');
        if (!batch) break;
        for (const item of batch.items) {
          known.add(await visitor.pixels(item));
          await visitor.answer(item.leaseId, junkFor(target));
          await visitor.request('GET', `/api/v1/work/leases/${item.leaseId}/feedback`);
        }
        await visitor.json('POST', `/work/batches/${batch.id}/return`);
      }
    }
    const guesses: Guess[] = [];
    const visitor = await newcomer(db, target);
    for (let n = 0; n < rounds; n++) {
      const batch = await visitor.take();
      if (!batch) break;
      const suspicion: Suspicion = new Map();
      const itemOf = await itemsOf(db, batch.id);
      for (const item of batch.items) {
        const isKnown = known.has(await visitor.pixels(item));
        suspicion.set(item.leaseId, Number(isKnown));
        // Practice has shown the right answer to what is known.
        const shown = isKnown ? target.truth.get(itemOf.get(item.leaseId) ?? '') : undefined;
        await visitor.answer(item.leaseId, shown ?? junkFor(target));
      }
      await submit(visitor, batch.id);
      guesses.push({ items: batch.items, suspicion });
    }
    return guesses;
  },
};

/** What two accounts can compare without looking at the pixels. */
async function metadataOf(visitor: Visitor, item: SeenItem): Promise<string[]> {
  const { headers } = await visitor.request('GET', item.image.working.url);
  const names = ['etag', 'last-modified', 'expires', 'cache-control', 'content-disposition'];
  return [
    new URL(item.image.working.url, 'http://x').pathname,
    ...names.map((name) => headers.get(name) ?? ''),
  ];
}

interface Collusion {
  name: string;
  does: string;
  usesPixels: boolean;
  /** They answer correctly, so that their work needs no second answer and ordinary images are not shared. */
  isCareful: boolean;
}

/** Two accounts compare what they are shown and flag what both have. */
export const colluders = ({ name, does, usesPixels, isCareful }: Collusion): Attack => ({
  name,
  does,
  async run(db, target, rounds) {
    const pair = [await newcomer(db, target), await newcomer(db, target)] as const;
    const seen: { visitor: number; batch: { id: string; items: SeenItem[] }; marks: Map<string, string> }[] =
      [];
    for (let n = 0; n < rounds; n++) {
      for (const [index, visitor] of pair.entries()) {
        const batch = await visitor.take();
        if (!batch) continue;
        const marks = new Map<string, string>();
        const itemOf = await itemsOf(db, batch.id);
        for (const item of batch.items) {
          const mark = usesPixels ? await visitor.pixels(item) : (await metadataOf(visitor, item)).join(' ');
          marks.set(item.leaseId, mark);
          const truth = target.truth.get(itemOf.get(item.leaseId) ?? '');
          await visitor.answer(item.leaseId, isCareful && truth ? truth : junkFor(target));
        }
        await submit(visitor, batch.id);
        seen.push({ visitor: index, batch, marks });
      }
    }
    const marksOf = (visitor: number) =>
      new Set(seen.filter((each) => each.visitor === visitor).flatMap(({ marks }) => [...marks.values()]));
    const others = [marksOf(1), marksOf(0)];
    return seen.map(({ visitor, batch, marks }) => ({
      items: batch.items,
      suspicion: new Map(
        batch.items.map(({ leaseId }) => [
          leaseId,
          Number(others[visitor]?.has(marks.get(leaseId) ?? newId())),
        ]),
      ),
    }));
  },
});
