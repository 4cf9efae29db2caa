import type { RefObject } from 'react';
import { type KeyChoices, withChoices } from '@/lib/annotator/key-choices';
import { shortcutFor } from '@/lib/annotator/key-press';
import type { ActionId } from '@/lib/annotator/shortcuts';
import { type DatasetSchema, optionsOf } from '@/lib/schema';
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
  onSubmit: (() => void) | undefined;
};

/** Share of the pane by which a key moves the picture. */
const LOOK = 0.2;

/** Lets the registry's keys work the form. */
export function useFormShortcuts(root: RefObject<HTMLElement | null>, bindings: Bindings): void {
  const { schema, choosing, picture, onSubmit } = bindings;
  const shortcuts = withChoices(bindings.keyChoices);
  const actions: Partial<Record<ActionId, () => void>> = {
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
    ...(onSubmit && {
      submit() {
        choosing.focusFirstBroken();
        onSubmit();
      },
    }),
  };

  const chooseByKey = (name: string, isRepeat: boolean): boolean => {
    const group = schema.attributeGroups[choosing.current];
    const option = group && optionOfKey(group, name, shortcuts);
    if (!group || option === undefined) return false;
    const index = optionsOf(group).indexOf(option);
    // A key that is held must not choose and take back in turn.
    if (!isRepeat) choosing.choose(choosing.current, index);
    choosing.focus(choosing.current, index);
    return true;
  };

  useFormKeys(root, (name, isRepeat) => {
    if (chooseByKey(name, isRepeat)) return true;
    const id = shortcutFor(name, 'attributes', shortcuts)?.id;
    const action = id && actions[id];
    if (!action) return false;
    if (!(isRepeat && id === 'submit')) action();
    return true;
  });
}
