import { describe, expect, it } from 'vitest';
import { castCrew, defaultMix, parseMix } from '@/lib/demo/simulation/crew';

const countOf = (crew: ReturnType<typeof castCrew>, name: string) =>
  crew.filter((member) => member.behaviour === name).length;

describe('a mix of people', () => {
  it('is read from parts by name', () => {
    expect(parseMix('careful=5, spammer=1')).toEqual({ careful: 5, spammer: 1 });
  });

  it.each(['', 'careful', 'careful=', 'careful=x', 'careful=-1', 'pirate=3', 'careful=0'])(
    'is not read from "%s"',
    (text) => expect(parseMix(text)).toBeNull(),
  );
});

describe('a crew', () => {
  it('has as many people as wanted, in proportion', () => {
    for (const size of [1, 2, 13, 26, 200]) expect(castCrew(defaultMix, size, 1)).toHaveLength(size);
    const crew = castCrew({ careful: 3, spammer: 1 }, 8, 1);
    expect([countOf(crew, 'careful'), countOf(crew, 'spammer')]).toEqual([6, 2]);
  });

  it('is the same for the same seed, and comes in another order for another', () => {
    const names = (seed: number) => castCrew(defaultMix, 26, seed).map((member) => member.behaviour);
    expect(names(4)).toEqual(names(4));
    expect(names(5)).not.toEqual(names(4));
    expect([...names(5)].sort()).toEqual([...names(4)].sort());
  });

  it('gives everybody a chance of their own', () => {
    const seeds = [1, 2, 3].flatMap((seed) => castCrew(defaultMix, 200, seed).map((member) => member.seed));
    expect(new Set(seeds).size).toBe(600);
  });
});
