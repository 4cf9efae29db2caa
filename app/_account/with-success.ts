import type { FormState } from '@/app/_actions/form-state';

type Action = (before: FormState, form: FormData) => Promise<FormState>;

/** Wraps the action of a form to report success to the person. */
export const withSuccess =
  (action: Action, onSuccess: () => void): Action =>
  async (before, form) => {
    const state = await action(before, form);
    if (!state.error) onSuccess();
    return state;
  };
