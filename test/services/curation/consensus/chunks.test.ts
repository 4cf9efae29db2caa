import { describe, expect, it } from 'vitest';
import { aggregators } from '@/lib/core/quality/aggregate';
import { choicesFrom } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import { createRng } from '@/lib/demo/scenes';
import { type Anchor, mergeVotes, noAnchor, votesIn } from '@/lib/services/curation/consensus/merge-votes';
import type { AnsweredItem } from '@/lib/services/curation/consensus/read-items';

const random = createRng(3);
const ids = rival10.attributeGroups
  .filter((group) => group.exclusiveNone)
  .flatMap((group) => group.attributes);

/** Five careful people and five who mark at random. */
const people = Array.from({ length: 10 }, (_, n) => ({ id: `worker ${n}`, error: n < 5 ? 0.04 : 0.4 }));

const truths = Array.from({ length: 240 }, () => new Set(ids.filter(() => random.between(0, 1) < 0.3)));

const items = truths.map((truth, n): AnsweredItem => {
  const first = random.integer(0, people.length - 1);
  const three = [0, 3, 7].map((step) => people[(first + step) % people.length] as (typeof people)[number]);
  return {
    id: `item ${n}`,
    imageId: '',
    target: '',
    schemaVersionId: '',
    height: 1,
    width: 1,
    label: null,
    answers: three.map(({ id, error }) => ({
      id: `${n} ${id}`,
      itemId: `item ${n}`,
      workerId: id,
      mask: null,
      value: {
        kind: 'attributes',
        choices: choicesFrom(
          rival10,
          ids.filter((attribute) => truth.has(attribute) !== random.between(0, 1) < error),
        ),
      },
    })),
  };
});

const dawidSkene = aggregators.find(({ id }) => id === 'dawid-skene') as (typeof aggregators)[number];
const majority = aggregators[0];
const schemaOf = () => rival10;

/** Share of attributes that come out wrong. */
function errorOf(size: number, aggregator: typeof dawidSkene | typeof majority, anchor: Anchor): number {
  let wrong = 0;
  for (let from = 0; from < items.length; from += size) {
    const merged = mergeVotes({ items: items.slice(from, from + size), schemaOf, aggregator, anchor });
    for (const [id, { value }] of merged) {
      const truth = truths[Number(id.split(' ')[1])] as Set<string>;
      const chosen = new Set(value.kind === 'attributes' ? Object.values(value.choices).flat() : []);
      wrong += ids.filter((attribute) => chosen.has(attribute) !== truth.has(attribute)).length;
    }
  }
  return wrong / (items.length * ids.length);
}

describe('a stage that is merged in parts', () => {
  const anchor: Anchor = {
    votes: items
      .slice(0, 60)
      .flatMap((item) => item.answers.flatMap((answer) => votesIn(item.id, answer, rival10))),
    truth: new Map(),
  };

  it('believes whom it would believe if it held everything at once', () => {
    const whole = errorOf(items.length, dawidSkene, noAnchor);
    const parts = errorOf(20, dawidSkene, anchor);
    expect(whole).toBeLessThan(errorOf(items.length, majority, noAnchor));
    expect(parts).toBeLessThan(whole + 0.01);
  });

  it('counts an item of the anchor once, where it is among those in hand', () => {
    const [item] = items.slice(0, 1);
    const merge = (beside: Anchor) =>
      mergeVotes({ items: [item as AnsweredItem], schemaOf, aggregator: majority, anchor: beside });
    expect(merge(anchor)).toEqual(merge(noAnchor));
  });
});
