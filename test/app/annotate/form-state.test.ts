import { describe, expect, it } from 'vitest';
import { type FormEvent, nextBroken, reduceForm, startForm } from '@/app/annotate/_attributes/form-state';

const having = (...events: FormEvent[]) => events.reduce(reduceForm, startForm([0, 0, 0]));
const focused = (group: number, option: number, byKey: boolean): FormEvent => ({
  type: 'focused',
  group,
  option,
  byKey,
});
const chose = (group: number, option: number, refused: string | null = null): FormEvent => ({
  type: 'chose',
  group,
  option,
  said: 'said',
  refused,
});

describe('the place of a person in the form', () => {
  it('is remembered per group, so that Tab comes back to the same option', () => {
    const state = having(focused(0, 2, true), focused(1, 1, true), focused(0, 2, true));
    expect(state).toMatchObject({ group: 0, stops: [2, 1, 0] });
  });

  it('tells of a group only once it was left', () => {
    expect(having(chose(0, 0)).left).toEqual(new Set());
    expect(having(chose(0, 0), focused(1, 0, false)).left).toEqual(new Set([0]));
  });

  it('takes a group as left when the keyboard goes on, and not when the mouse passes over it', () => {
    expect(having(focused(1, 0, true)).left).toEqual(new Set([0]));
    expect(having(focused(2, 0, false)).left).toEqual(new Set());
    expect(having(chose(2, 0)).left).toEqual(new Set());
  });

  it('keeps the reason of a refusal until the next click or the next group', () => {
    const refused = having(chose(0, 2, 'At most 2'));
    expect(refused.refused).toEqual({ group: 0, reason: 'At most 2' });
    expect(reduceForm(refused, chose(0, 1)).refused).toBeNull();
    expect(reduceForm(refused, focused(0, 1, true)).refused).not.toBeNull();
    expect(reduceForm(refused, focused(1, 0, true)).refused).toBeNull();
  });

  it('says a repeated sentence anew', () => {
    const once = having(chose(0, 2, 'At most 2'));
    expect(reduceForm(once, chose(0, 2, 'At most 2')).said.count).toBe(once.said.count + 1);
  });
});

describe('the next group', () => {
  it('is the next one that breaks a rule, going round, and there is none when all are complete', () => {
    expect(nextBroken(0, [0, 2])).toBe(2);
    expect(nextBroken(2, [0, 1])).toBe(0);
    expect(nextBroken(2, [2])).toBe(2);
    expect(nextBroken(1, [])).toBeUndefined();
  });

  it('does not come when the last group was left unanswered: its reason does', () => {
    const state = having(focused(2, 0, true), { type: 'finished', said: 'Choose at least 1 in Other.' });
    expect(state.left).toEqual(new Set([0, 2]));
    expect(state.said.text).toBe('Choose at least 1 in Other.');
  });
});
