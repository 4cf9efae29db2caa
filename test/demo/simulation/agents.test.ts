import { describe, expect, it } from 'vitest';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { InteractionSummary, marksOf } from '@/lib/core/quality/interaction';
import { humanSignals } from '@/lib/core/quality/rules';
import { createRng } from '@/lib/demo/scenes/prng';
import { people, programs, reportOn, simulateGroup } from '@/lib/demo/simulation/agent-report';
import { handOf, type InputStyle, simulateInteraction } from '@/lib/demo/simulation/interaction';

const small = { careers: 2, items: 80, seed: 5 };
const reportOf = (name: string) => {
  const group = [...programs, ...people].find((each) => each.name === name);
  if (!group) throw new Error(`There is no group "${name}".`);
  return reportOn(simulateGroup(group, small), humanSignals);
};

describe('programs that pose as people', () => {
  it.each(['plain HTTP', 'scripted browser', 'segmentation model'])(
    '%s is paused within eighty items',
    (name) => {
      const { paused, itemsUntilPause } = reportOf(name);
      expect(paused.value).toBe(1);
      expect(itemsUntilPause?.p90).toBeLessThanOrEqual(80);
    },
    180_000,
  );

  it('are not recognised when they replay the movements of people: the documented limit', () => {
    expect(reportOf('replayed human movements').paused.value).toBe(0);
  }, 180_000);
});

describe('people of all kinds', () => {
  it.each(people.map(({ name }) => name))(
    '%s get no step at all from the human signals',
    (name) => expect(reportOf(name).anyStep.value).toBe(0),
    180_000,
  );
});

describe('a simulated hand', () => {
  const outer = Array.from({ length: 24 }, (_, i) => [
    100 + 60 * Math.cos((2 * Math.PI * i) / 24),
    100 + 60 * Math.sin((2 * Math.PI * i) / 24),
  ]).flat();
  const outline: AnswerValue = { kind: 'mask', shapes: [{ kind: 'polygon', op: 'add', outer, holes: [] }] };

  it.each<InputStyle>(['mouse', 'touch', 'keyboard', 'voice', 'driver'])(
    '%s gives a summary that the API accepts, and the same one for the same seed',
    (style) => {
      const make = () => {
        const random = createRng(9);
        return simulateInteraction(outline, handOf(style, random.fork('hand')), random);
      };
      expect(InteractionSummary.parse(make())).toEqual(make());
    },
  );

  it('of a driver with constant waits shows two marks, of a person at most one', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = createRng(seed);
      const marks = (style: InputStyle) => {
        const summary = simulateInteraction(
          outline,
          { ...handOf(style, random.fork(style)), jitter: 0 },
          random,
        );
        return summary ? marksOf(summary).length : 0;
      };
      expect(marks('driver')).toBeGreaterThanOrEqual(2);
      for (const style of ['mouse', 'touch', 'keyboard', 'voice'] as const)
        expect(marks(style)).toBeLessThanOrEqual(1);
    }
  });
});
