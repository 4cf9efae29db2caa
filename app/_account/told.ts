import type { FormState } from '@/app/_actions/form-state';

type Action = (before: FormState, form: FormData) => Promise<FormState>;

/** The same action, with word to the person when it succeeded. */
export const told =
  (action: Action, onSuccess: () => void): Action =>
  async (before, form) => {
    const state = await action(before, form);
    if (!state.error) onSuccess();
    return state;
  };
