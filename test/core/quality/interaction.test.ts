import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  actsOf,
  type InteractionEvent,
  InteractionRecorder,
  InteractionSummary,
  marksOf,
} from '@/lib/core/quality/interaction';

const anyNumber = fc.oneof(fc.double(), fc.integer({ min: -1e6, max: 1e6 }));
const anyEvent: fc.Arbitrary<InteractionEvent> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('down' as const, 'move' as const, 'up' as const),
    time: anyNumber,
    x: anyNumber,
    y: anyNumber,
    pointer: fc.constantFrom('mouse' as const, 'pen' as const, 'touch' as const),
    isTrusted: fc.boolean(),
    trail: fc.array(fc.double({ noNaN: true, min: -5000, max: 5000 }), { maxLength: 9 }),
  }),
  fc.record({
    kind: fc.constantFrom('key' as const, 'wheel' as const, 'click' as const, 'leave' as const),
    time: anyNumber,
    isTrusted: fc.boolean(),
  }),
);

function recordAll(events: readonly InteractionEvent[], recorder = new InteractionRecorder()) {
  for (const event of events) recorder.record(event);
  return recorder;
}

const point = (kind: 'down' | 'move' | 'up', time: number, x: number, y: number): InteractionEvent => ({
  kind,
  time,
  x,
  y,
  pointer: 'mouse',
  isTrusted: true,
});

describe('the interaction recorder', () => {
  it('gives a valid summary for any sequence of events, also of nonsense', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 200 }), (events) => {
        const summary = recordAll(events).summary();
        expect(InteractionSummary.safeParse(summary).error).toBeUndefined();
        expect(marksOf(summary)).toBeInstanceOf(Array);
      }),
    );
  });

  it('counts the same whether or not the page was reloaded in between', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.nat(60), (events, cut) => {
        const whole = recordAll(events).summary();
        const second = new InteractionRecorder();
        second.resume(recordAll(events.slice(0, cut)).state);
        const resumed = recordAll(events.slice(cut), second).summary();
        for (const name of ['downs', 'moves', 'ups', 'keys', 'wheels', 'untrusted', 'leaves'] as const)
          expect(resumed[name]).toBe(whole[name]);
        expect(resumed.isResumed).toBe(true);
      }),
    );
  });

  it('keeps no positions and nothing that grows without limit', () => {
    const recorder = new InteractionRecorder();
    for (let i = 0; i < 20_000; i++) {
      recorder.record(point('move', 8 * i, (37 * i) % 1111, (53 * i) % 733));
      if (i % 10 === 0) recorder.record(point('down', 8 * i + 1, (37 * i) % 1111, (53 * i) % 733));
      if (i % 10 === 0) recorder.record(point('up', 8 * i + 2, (37 * i) % 1111, (53 * i) % 733));
    }
    expect(JSON.stringify(recorder.state).length).toBeLessThan(4000);
    expect(JSON.stringify(recorder.summary()).length).toBeLessThan(600);
  });

  it('tells a ruled movement in equal steps from a bent one with a bell-shaped speed', () => {
    const ruled = recordAll([
      point('move', 0, 0, 0),
      ...Array.from({ length: 10 }, (_, i) => point('move', 16 * (i + 1), 20 * (i + 1), 10 * (i + 1))),
      point('down', 180, 200, 100),
    ]).summary();
    expect(ruled).toMatchObject({ reaches: 1, straightReaches: 1, steadyReaches: 1, straightness: 1 });
    const bent = recordAll([
      point('move', 0, 0, 0),
      ...Array.from({ length: 20 }, (_, i) => {
        const t = (i + 1) / 20;
        const done = t ** 3 * (10 - 15 * t + 6 * t ** 2);
        return point('move', 16 * (i + 1), 200 * done, 100 * done + 12 * Math.sin(Math.PI * done));
      }),
      point('down', 340, 200, 100),
    ]).summary();
    expect(bent).toMatchObject({ reaches: 1, straightReaches: 0, steadyReaches: 0 });
  });

  it('counts a click of a screen reader as an act, and that of a mouse once', () => {
    const screenReader = recordAll([{ kind: 'click', time: 900, isTrusted: true }]).summary();
    expect(actsOf(screenReader)).toBe(1);
    const mouse = recordAll([
      point('down', 100, 5, 5),
      point('up', 180, 5, 5),
      { kind: 'click', time: 181, isTrusted: true },
    ]).summary();
    expect(mouse).toMatchObject({ downs: 1, clicks: 0 });
  });

  it('does not take keys typed ahead, which the page replays, for the rhythm of a program', () => {
    const typed = Array.from(
      { length: 12 },
      (_, i): InteractionEvent => ({
        kind: 'key',
        time: i,
        isTrusted: true,
        isReplayed: true,
      }),
    );
    const summary = recordAll(typed).summary();
    expect(summary).toMatchObject({ keys: 12, untrusted: 0, gapSpread: null });
    expect(marksOf(summary)).toEqual([]);
  });

  it('does not call a finger that comes down anywhere a jump', () => {
    const taps = Array.from({ length: 20 }, (_, i): InteractionEvent[] =>
      (['down', 'up'] as const).map((kind, j) => ({
        kind,
        time: 400 * i + 80 * j,
        x: (i * 97) % 600,
        y: (i * 61) % 400,
        pointer: 'touch',
        isTrusted: true,
      })),
    ).flat();
    expect(recordAll(taps).summary()).toMatchObject({ downs: 20, touches: 20, jumps: 0, reaches: 0 });
  });
});
