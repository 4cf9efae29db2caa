import type { Outline } from '@/app/_ui/outlined-picture';
import { decodeCounts, outlinePath } from '@/lib/core/mask';
import { type DatasetSchema, partColour, readTarget, targetWords } from '@/lib/core/schema';
import type { ImageDetail } from '@/lib/services/images/get-image';
import type { ImageAnswer } from '@/lib/services/images/image-answers';

export type Layer = Outline & {
  name: string;
  /** Answers lie beneath the labels made of them and are hidden at first. */
  kind: 'label' | 'answer';
};

/** The masks of an image as outlines in pixels, in the colours of the schema. */
export function layersOf(
  schema: DatasetSchema | null,
  image: ImageDetail,
  answers: readonly ImageAnswer[],
): Layer[] {
  const parts = new Map(schema?.parts.map((part) => [part.id, part]));
  const attributes = new Map(schema?.attributes.map((attribute) => [attribute.id, attribute.name]));
  const classes = new Map(schema?.classes.map((entry) => [entry.id, entry.name]));
  const wordOf = (id: string) => parts.get(id)?.name ?? attributes.get(id) ?? classes.get(id) ?? id;
  const nameOf = (target: string) => targetWords(target, wordOf, 'object');
  const pathOf = (mask: string) => outlinePath(decodeCounts(mask, image.height, image.width));
  const colours = new Map<string, string>();
  const colourOf = (target: string) => {
    const colour =
      parts.get(readTarget(target).id)?.colour ?? colours.get(target) ?? partColour(colours.size);
    colours.set(target, colour);
    return colour;
  };
  const labels = image.items.flatMap(({ id, target, label }) =>
    label?.mask
      ? [
          {
            id,
            kind: 'label' as const,
            name: nameOf(target),
            colour: colourOf(target),
            path: pathOf(label.mask),
          },
        ]
      : [],
  );
  const drawn = answers.flatMap(({ id, target, mask, worker }) =>
    mask
      ? [
          {
            id,
            kind: 'answer' as const,
            name: `${nameOf(target)} by ${worker?.name ?? 'a worker'}`,
            colour: colourOf(target),
            path: pathOf(mask),
          },
        ]
      : [],
  );
  return [...labels, ...drawn];
}
