import type { RefObject } from 'react';
import { type KeyChoices, shortcutFor, withChoices } from '@/lib/core/editor/key-press';
import type { ActionId } from '@/lib/core/editor/shortcuts';
import { type DatasetSchema, optionsOf } from '@/lib/core/schema';
import type { Place } from './form-keys';
import { optionOfKey } from './option-keys';
import { ZOOM_STEP } from './picture-view';
import type { Choosing } from './use-choosing';
import { useFormKeys } from './use-form-keys';
import type { PictureControl } from './use-picture-view';

type Bindings = {
  schema: DatasetSchema;
  keyChoices: KeyChoices;
  choosing: Choosing;
  picture: PictureControl;
  /** Letters that choose from anywhere in the form. */
  places: ReadonlyMap<string, Place>;
  onSubmit: (() => void) | undefined;
  /** Enter submits a form that is complete. */
  submitsByEnter: boolean;
};

/** Share of the pane by which a key moves the picture. */
const LOOK = 0.2;

/** Lets the registry's keys work the form. */
export function useFormShortcuts(root: RefObject<HTMLElement | null>, bindings: Bindings): void {
  const { schema, choosing, picture, places, onSubmit, submitsByEnter } = bindings;
  const shortcuts = withChoices(bindings.keyChoices);
  const actions: Partial<Record<ActionId, () => void>> = {
    'confirm-form': () => choosing.confirm(submitsByEnter ? onSubmit : undefined),
    'none-for-rest': choosing.noneForRest,
    'next-group': choosing.nextGroup,
    'previous-group': choosing.previousGroup,
    'next-option': () => choosing.stepOption(1),
    'previous-option': () => choosing.stepOption(-1),
    'picture-larger': () => picture.zoomBy(ZOOM_STEP),
    'picture-smaller': () => picture.zoomBy(1 / ZOOM_STEP),
    'picture-fit': picture.fit,
    'picture-left': () => picture.look(-LOOK, 0),
    'picture-right': () => picture.look(LOOK, 0),
    'picture-up': () => picture.look(0, -LOOK),
    'picture-down': () => picture.look(0, LOOK),
    ...(onSubmit &&
      submitsByEnter && {
        'none-and-done': () => {
          choosing.noneForRest();
          onSubmit();
        },
      }),
    ...(onSubmit && {
      done() {
        choosing.focusFirstBroken();
        onSubmit();
      },
    }),
  };

  const chooseByKey = (name: string, isRepeat: boolean): boolean => {
    const group = schema.attributeGroups[choosing.current];
    const place = places.get(name);
    // A letter of the whole form comes before one of the current group.
    const option = place ? undefined : group && optionOfKey(group, name, shortcuts);
    const inGroup = place?.group ?? choosing.current;
    const index = place?.option ?? (group && option !== undefined ? optionsOf(group).indexOf(option) : -1);
    if (index < 0) return false;
    // A key that is held must not choose and take back in turn.
    if (!isRepeat) choosing.choose(inGroup, index);
    choosing.focus(inGroup, index);
    return true;
  };

  useFormKeys(root, (name, isRepeat) => {
    if (chooseByKey(name, isRepeat)) return true;
    const id = shortcutFor(name, 'attributes', shortcuts)?.id;
    const action = id && actions[id];
    if (!action) return false;
    if (!(isRepeat && (id === 'done' || id === 'confirm-form' || id === 'none-and-done'))) action();
    return true;
  });
}
