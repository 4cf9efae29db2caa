/** Where the person is in the form, and what they have seen of it; the choices themselves are the caller's. */
export type FormState = {
  /** Index of the group whose options the keys mean. */
  readonly group: number;
  /** By group: the option that Tab stops at. */
  readonly stops: readonly number[];
  /** Groups in which the person did something. */
  readonly entered: ReadonlySet<number>;
  /** Groups that the person left: from then on a broken rule is told. */
  readonly left: ReadonlySet<number>;
  /** Why the last click did nothing, until the next one. */
  readonly refused: { readonly group: number; readonly reason: string } | null;
  readonly said: { readonly text: string; readonly count: number };
};

export type FormEvent =
  | { readonly type: 'focused'; readonly group: number; readonly option: number; readonly byKey: boolean }
  | {
      readonly type: 'chose';
      readonly group: number;
      readonly option: number;
      readonly said: string;
      readonly refused: string | null;
    }
  | { readonly type: 'finished'; readonly said: string }
  | { readonly type: 'told'; readonly said: string };

export function startForm(stops: readonly number[]): FormState {
  return {
    group: 0,
    stops,
    entered: new Set(),
    left: new Set(),
    refused: null,
    said: { text: '', count: 0 },
  };
}

export function reduceForm(state: FormState, event: FormEvent): FormState {
  switch (event.type) {
    case 'focused':
      return goTo(state, event.group, event.option, event.byKey);
    case 'chose': {
      const { group, option, refused } = event;
      const there = goTo(state, group, option, false);
      return {
        ...there,
        entered: there.entered.has(group) ? there.entered : new Set([...there.entered, group]),
        refused: refused === null ? null : { group, reason: refused },
        said: say(state, event.said),
      };
    }
    case 'told':
      return { ...state, said: say(state, event.said) };
    case 'finished':
      return { ...state, left: new Set([...state.left, state.group]), said: say(state, event.said) };
  }
}

/** A mouse may pass over a group that was never worked in; the keyboard goes through it on purpose. */
function goTo(state: FormState, group: number, option: number, byKey: boolean): FormState {
  const stops = state.stops.with(group, option);
  if (group === state.group) return { ...state, stops };
  const leaves = byKey || state.entered.has(state.group);
  const left = leaves ? new Set([...state.left, state.group]) : state.left;
  return { ...state, group, stops, left, refused: null };
}

/** The count makes a repeated sentence a new one, so that it is read out again. */
const say = ({ said }: FormState, text: string) => ({ text, count: said.count + 1 });

/** The next group that breaks a rule, going round; undefined when all are complete. */
export function nextBroken(group: number, broken: readonly number[]): number | undefined {
  return broken.find((index) => index > group) ?? broken[0];
}
