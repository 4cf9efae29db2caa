import { describe, expect, it } from 'vitest';
import type { HistoryAnswer } from '@/lib/core/quality/history';
import {
  alwaysNothing,
  coarseOutlines,
  identicalChoices,
  pastedShapes,
  tooFast,
} from '@/lib/core/quality/rules/careless-work';
import { answers, history } from '../histories';

const times = (n: number, given: Partial<HistoryAnswer>) => Array<Partial<HistoryAnswer>>(n).fill(given);
const pool = { medianMs: 30_000, fifthMs: 12_000 };

describe('the signal "too fast"', () => {
  const judge = (list: Partial<HistoryAnswer>[]) =>
    tooFast.judge(history({ answers: answers(list), pool }), {});

  it('finds a burst of clicks in the work of a patient person', () => {
    const list = [...times(15, { activeMs: 30_000 }), ...times(5, { activeMs: 3000 })];
    expect(judge(list)?.evidence).toEqual([15, 16, 17, 18, 19].map((i) => `answer-${i}`));
  });

  it('finds the one who always clicks', () => {
    expect(judge(times(10, { activeMs: 4000 }))?.evidence).toHaveLength(10);
  });

  it('leaves quick people alone who are not quicker than others can be', () => {
    expect(judge(times(40, { activeMs: 13_000 }))).toBeNull();
    expect(judge([...times(15, { activeMs: 60_000 }), ...times(5, { activeMs: 15_000 })])).toBeNull();
  });

  it('forgives a few', () => {
    expect(judge([...times(30, {}), ...times(4, { activeMs: 1000 })])).toBeNull();
    expect(judge([...times(35, {}), ...times(5, { activeMs: 1000 })])).toBeNull();
  });

  it('says nothing while it is unknown how long others take', () => {
    expect(tooFast.judge(history({ answers: answers(times(40, { activeMs: 1 })) }), {})).toBeNull();
  });
});

describe('the signal "pasted shapes"', () => {
  const judge = (list: Partial<HistoryAnswer>[]) =>
    pastedShapes.judge(history({ answers: answers(list) }), {});

  it('finds one drawing on three images', () => {
    const list = [...times(3, { shapesHash: 'same' }), ...times(2, {})];
    expect(judge(list.map((each, i) => (i < 3 ? each : {})))).toMatchObject({
      isStrong: true,
      evidence: ['answer-0', 'answer-1', 'answer-2'],
    });
  });

  it('lets two parts of one image share an outline', () => {
    expect(judge(times(5, { shapesHash: 'same', imageId: 'image' }))).toBeNull();
  });

  it('takes two equal drawings for chance, and answers without a drawing for none', () => {
    expect(judge([...times(2, { shapesHash: 'same' }), {}, {}])).toBeNull();
    expect(judge(times(9, { kind: 'nothing', shapesHash: null }))).toBeNull();
  });
});

describe('the signal "always nothing"', () => {
  const judge = (list: Partial<HistoryAnswer>[]) =>
    alwaysNothing.judge(history({ answers: answers(list) }), {});
  const nothing = { kind: 'nothing' as const, vertices: null, shapesHash: null };

  it('finds the one who draws nothing', () => {
    expect(judge(times(15, nothing))?.evidence).toHaveLength(15);
    expect(judge([...times(16, nothing), ...times(4, {})])?.evidence).toHaveLength(16);
  });

  it('waits for fifteen answers, and leaves honest doubt alone', () => {
    expect(judge(times(14, nothing))).toBeNull();
    expect(judge([...times(15, nothing), ...times(5, {})])).toBeNull();
  });
});

describe('the signal "four-cornered outlines"', () => {
  const judge = (list: Partial<HistoryAnswer>[]) =>
    coarseOutlines.judge(history({ answers: answers(list) }), {});

  it('finds boxes', () => {
    expect(judge([...times(8, { vertices: 4 }), ...times(2, {})])?.evidence).toHaveLength(8);
  });

  it('leaves some boxes, painted masks and few drawings alone', () => {
    expect(judge([...times(7, { vertices: 4 }), ...times(3, {})])).toBeNull();
    expect(judge(times(20, { vertices: null }))).toBeNull();
    expect(judge(times(9, { vertices: 3 }))).toBeNull();
  });
});

describe('the signal "identical choices"', () => {
  const judge = (list: Partial<HistoryAnswer>[]) =>
    identicalChoices.judge(
      history({ answers: answers(list.map((each) => ({ kind: 'attributes', shapesHash: null, ...each }))) }),
      {},
    );

  it('finds the one who always chooses the same', () => {
    const list = Array.from({ length: 20 }, (_, i) => ({ choicesHash: i < 12 ? 'same' : `other-${i}` }));
    expect(judge(list)?.evidence).toHaveLength(12);
  });

  it('knows that pictures of a class look alike', () => {
    expect(judge(Array.from({ length: 40 }, (_, i) => ({ choicesHash: `look-${i % 3}` })))).toBeNull();
    expect(judge(times(19, { choicesHash: 'same' }))).toBeNull();
  });
});
