import type { Outline } from '@/app/_ui/outlined-picture';
import { decodeCounts, outlinePath } from '@/lib/core/mask';
import { AnswerValue } from '@/lib/core/quality/answer';
import {
  type DatasetSchema,
  describeTarget,
  instanceColour,
  partColour,
  readTarget,
} from '@/lib/core/schema';
import type { ImageAnswer, ImageDetail } from '@/lib/services/images/get-image';

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
  const nameOf = (target: string) => describeTarget(target, wordOf, 'object');
  const pathOf = (mask: string) => outlinePath(decodeCounts(mask, image.height, image.width));
  const colours = new Map<string, string>();
  const colourOf = (target: string) => {
    const colour =
      parts.get(readTarget(target).id)?.colour ?? colours.get(target) ?? partColour(colours.size);
    colours.set(target, colour);
    return colour;
  };
  const shapes = (drawn: Drawn): Layer[] => {
    const { id, kind, name, target, mask, value } = drawn;
    const layer = { id, kind, name, colour: colourOf(target), path: pathOf(mask) };
    const instances = instancesIn(value);
    if (!instances) return [layer];
    return instances.map((counts, i) => ({
      ...layer,
      id: `${id}-${i + 1}`,
      name: `${name} ${i + 1}`,
      colour: instanceColour(layer.colour, i + 1),
      path: pathOf(counts),
    }));
  };
  const labels = image.items.flatMap(({ id, target, label }) =>
    label?.mask
      ? shapes({ id, kind: 'label', name: nameOf(target), target, mask: label.mask, value: label.value })
      : [],
  );
  const drawn = answers.flatMap(({ id, target, mask, value, worker }) => {
    const name = `${nameOf(target)} by ${worker?.name ?? 'a worker'}`;
    return mask ? shapes({ id, kind: 'answer', name, target, mask, value }) : [];
  });
  return [...labels, ...drawn];
}

interface Drawn extends Pick<Layer, 'id' | 'kind' | 'name'> {
  target: string;
  mask: string;
  value: Value;
}

function instancesIn(value: Value): readonly string[] | undefined {
  if (!value.instances) return undefined;
  const parsed = AnswerValue.safeParse(value);
  return parsed.success && parsed.data.kind === 'mask' ? parsed.data.instances : undefined;
}

type Value = Record<string, unknown>;

/** The name of a class, an attribute or a part by its id. */
export type NameOf = (id: string) => string;

export function namesIn(schema: DatasetSchema | null): NameOf {
  const entries = [...(schema?.classes ?? []), ...(schema?.attributes ?? []), ...(schema?.parts ?? [])];
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/** The attributes of a value, or a dash. */
export function attributeWords(value: Value | undefined, nameOf: NameOf): string {
  const choices =
    value?.kind === 'attributes' ? Object.values(value.choices as Record<string, string[]>) : [];
  return (
    choices
      .flat()
      .filter((id) => id !== 'none')
      .map(nameOf)
      .join(', ') || '–'
  );
}

/** What a label or an answer says, in a few words. */
export function valueWords(value: Value | undefined, nameOf: NameOf): string {
  if (!value) return '–';
  if (value.kind === 'attributes') return attributeWords(value, nameOf);
  if (value.kind === 'class') return nameOf(String(value.className));
  return value.kind === 'nothing' ? 'nothing to label' : String(value.kind);
}
