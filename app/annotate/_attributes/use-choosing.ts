import { useTranslations } from 'next-intl';
import { type RefObject, useEffect, useEffectEvent, useReducer } from 'react';
import {
  type AttributeChoices,
  type AttributeGroup,
  chooseOption,
  type DatasetSchema,
  NONE,
  optionsOf,
  validateAttributes,
} from '@/lib/core/schema';
import { nextBroken, reduceForm, startForm } from './form-state';
import { choosingText, type FormText, problemText, refusalText } from './words';

type Form = {
  schema: DatasetSchema;
  value: AttributeChoices;
  onChange(next: AttributeChoices): void;
  showProblems: boolean;
  isInert?: boolean;
};

/** The form without its looks: which group is current, what is wrong, and what a click does. */
export function useChoosing(root: RefObject<HTMLElement | null>, form: Form) {
  const t = useTranslations('form');
  const { schema, value, showProblems, isInert = false } = form;
  const groups = schema.attributeGroups;
  const [state, dispatch] = useReducer(reduceForm, null, () => startForm(firstStops(groups, value)));
  const problems = problemsOf(t, schema, value);
  const [firstBroken] = problems.keys();
  const stopOf = (group: number) => state.stops[group] ?? 0;

  const focus = (group: number, option = stopOf(group)) =>
    root.current
      ?.querySelector<HTMLElement>(`[data-group="${group}"] [data-option="${option}"] input`)
      ?.focus();
  const focusFirstBroken = () => {
    if (firstBroken !== undefined) focus(firstBroken);
  };

  const choose = (index: number, option: number) => {
    const group = groups[index];
    const id = group && optionsOf(group)[option];
    if (!id) return;
    const choosing = chooseOption(group, value[group.id] ?? [], id);
    const refused = choosing.kind === 'refused' ? refusalText(t, schema, group, id) : null;
    const said = choosingText(t, schema, group, id, choosing);
    dispatch({ type: 'chose', group: index, option, said, refused });
    if (!refused) form.onChange({ ...value, [group.id]: choosing.chosen });
  };

  /** Goes to the next incomplete group. Calls `done` when there is none. */
  const confirm = (done: (() => void) | undefined) => {
    const next = nextBroken(state.group, [...problems.keys()]);
    if (next !== undefined && next !== state.group) return focus(next);
    const isComplete = next === undefined;
    dispatch({
      type: 'finished',
      said: isComplete ? t('complete') : (problems.get(next) ?? ''),
    });
    if (isComplete) done?.();
  };

  const noneForRest = () => {
    const empty = groups.filter(({ id, exclusiveNone }) => exclusiveNone && !value[id]?.length);
    if (empty.length === 0) return;
    form.onChange({ ...value, ...Object.fromEntries(empty.map(({ id }) => [id, [NONE]])) });
    const names = empty.map(({ name }) => name).join(', ');
    dispatch({ type: 'told', said: t('noneFor', { groups: names }) });
  };

  /** Round the end, so that "none" is one step left of the first option. */
  const stepOption = (step: 1 | -1) => {
    const count = optionsOf(groups[state.group] as AttributeGroup).length;
    focus(state.group, (stopOf(state.group) + step + count) % count);
  };

  const start = useEffectEvent(() => {
    if (!document.activeElement?.closest('[role=dialog]')) focus(state.group);
  });
  const showFirstProblem = useEffectEvent(focusFirstBroken);
  // What is inert cannot have the focus: a batch may be open in another tab when its page appears.
  useEffect(() => {
    if (!isInert) start();
  }, [isInert]);
  useEffect(() => {
    if (showProblems) showFirstProblem();
  }, [showProblems]);

  const reasonOf = (group: number): string | null => {
    if (state.refused?.group === group) return state.refused.reason;
    return showProblems || state.left.has(group) ? (problems.get(group) ?? null) : null;
  };

  return {
    current: state.group,
    said: state.said,
    stopOf,
    reasonOf,
    choose,
    focus,
    focusFirstBroken,
    confirm,
    noneForRest,
    nextGroup: () => focus(Math.min(groups.length - 1, state.group + 1)),
    previousGroup: () => focus(Math.max(0, state.group - 1)),
    stepOption,
    onFocus: (group: number, option: number, byKey: boolean) =>
      dispatch({ type: 'focused', group, option, byKey }),
  };
}

export type Choosing = ReturnType<typeof useChoosing>;

/** The first broken rule of each group, by its index, in the order of the groups. */
function problemsOf(
  t: FormText,
  schema: DatasetSchema,
  value: AttributeChoices,
): ReadonlyMap<number, string> {
  const found = validateAttributes(schema, value);
  return new Map(
    schema.attributeGroups.flatMap((group, index) => {
      const problem = found.find((each) => each.group === group.id);
      return problem ? [[index, problemText(t, group, problem.code)] as const] : [];
    }),
  );
}

/** Tab stops at what is chosen, else at the first option. */
function firstStops(groups: readonly AttributeGroup[], value: AttributeChoices): number[] {
  return groups.map((group) =>
    Math.max(
      0,
      optionsOf(group).findIndex((option) => value[group.id]?.includes(option)),
    ),
  );
}
