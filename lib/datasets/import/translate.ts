import type { StageKind } from '@/db/schema';
import type { ObjectLabel } from '@/lib/formats/dataset';
import type { SourceImage } from '@/lib/formats/format';
import { type ClassIndex, indexClasses } from '@/lib/ingest/find-class';
import { area, encodeCounts, type Mask } from '@/lib/mask';
import type { AnswerValue } from '@/lib/quality/answer';
import { choicesFrom, type DatasetSchema, writeTarget } from '@/lib/schema';

/** A label as it will stand in the project. */
export interface NewLabel {
  stage: Exclude<StageKind, 'oracle'>;
  target: string;
  value: AnswerValue;
  mask: string | null;
  area: number | null;
}

export interface Translated {
  className: string | null;
  labels: NewLabel[];
  /** Labels that have no place in the project's schema, as reasons. */
  leftOut: string[];
  /** What else has none: a class, or one option of a form. */
  remarks: string[];
  /** Whether any of them is drawn: then the pixels must be those that were drawn on. */
  hasMasks: boolean;
}

/** Says what an image's labels are in the words of a project. */
export class Translator {
  readonly #classes: ClassIndex;
  readonly #parts: ReadonlySet<string>;
  readonly #attributes: ReadonlyMap<string, string>;

  constructor(private readonly schema: DatasetSchema) {
    this.#classes = indexClasses(schema);
    this.#parts = new Set(schema.parts.map(({ id }) => id));
    this.#attributes = new Map(schema.attributes.map(({ id, kind }) => [id, kind]));
  }

  image(image: SourceImage): Translated {
    const found: Translated = {
      className: this.#class(image.className, image.wnid),
      labels: [],
      leftOut: [],
      remarks: [],
      hasMasks: false,
    };
    if (image.className !== null && found.className === null)
      found.remarks.push(`class "${image.className}" is not in the project's schema`);
    this.#attributesOf(image, found);
    // The object that the picture is of may be known by the picture's WordNet id alone.
    const known = ({ className }: ObjectLabel) =>
      this.#class(className, className === image.className ? image.wnid : null);
    const objects = numbered(
      image.objects.map((object) => ({ ...object, className: known(object) })),
      found.className,
    );
    for (const object of objects) this.#object(object, found);
    found.hasMasks = found.labels.some(({ mask }) => mask !== null);
    return found;
  }

  #class(name: string | null, wnid: string | null): string | null {
    const byName = name === null ? undefined : this.#classes.byName.get(name.toLowerCase());
    return byName ?? (wnid === null ? null : (this.#classes.byWnid.get(wnid) ?? null));
  }

  #attributesOf({ attributes, attributeMasks }: SourceImage, found: Translated): void {
    if (attributes && this.schema.attributes.length > 0) {
      const strangers = attributes.present.filter((id) => !this.#attributes.has(id));
      for (const id of strangers) found.remarks.push(`attribute "${id}" is not in the project's schema`);
      found.labels.push({
        stage: 'attributes',
        target: '',
        value: { kind: 'attributes', choices: choicesFrom(this.schema, attributes.present) },
        mask: null,
        area: null,
      });
    } else if (attributes) found.leftOut.push("the project's schema has no attributes");
    for (const { id, mask } of attributeMasks)
      if (this.#attributes.get(id) === 'localised') found.labels.push(drawn('part-mask', id, mask));
      else found.leftOut.push(`attribute "${id}" is not drawn in the project's schema`);
  }

  #object({ className, instance, outline, parts, absent }: ObjectLabel, found: Translated): void {
    const target = (id: string) => writeTarget({ id, instance, className });
    if (className === null) {
      const count = parts.length + absent.length + (outline ? 1 : 0);
      for (let i = 0; i < count; i++)
        found.leftOut.push("the object is of a class that is not in the project's schema");
      return;
    }
    if (outline) found.labels.push(drawn('object-mask', target(''), outline.mask));
    const taken = new Set<string>();
    for (const { id, mask } of parts)
      if (!this.#parts.has(id)) found.leftOut.push(`part "${id}" is not in the project's schema`);
      else if (taken.has(id)) found.leftOut.push(`part "${id}" is there twice on one object`);
      else {
        taken.add(id);
        found.labels.push(drawn('part-mask', target(id), mask));
      }
    for (const id of absent)
      if (this.#parts.has(id) && !taken.has(id))
        found.labels.push({
          stage: 'part-mask',
          target: target(id),
          value: { kind: 'nothing' },
          mask: null,
          area: null,
        });
      else found.leftOut.push(`part "${id}" is not in the project's schema`);
  }
}

/** The first object has the class of the image, also when that is none; one of another class can only be the second. */
function numbered(objects: readonly ObjectLabel[], className: string | null): ObjectLabel[] {
  const main = objects.findIndex((object) => object.className === className);
  const ordered =
    main > 0 ? [objects[main] as ObjectLabel, ...objects.filter((_, i) => i !== main)] : objects;
  const isInOrder =
    main === 0 &&
    ordered.every(({ instance }, i) =>
      i === 0 ? instance === 1 : instance > (ordered[i - 1]?.instance ?? 0),
    );
  if (isInOrder) return [...ordered];
  const from = main < 0 ? 2 : 1;
  return ordered.map((object, index) => ({ ...object, instance: from + index }));
}

function drawn(stage: 'object-mask' | 'part-mask', target: string, mask: Mask): NewLabel {
  const counts = encodeCounts(mask);
  return {
    stage,
    target,
    value: {
      kind: 'mask',
      shapes: [{ kind: 'bitmap', op: 'add', size: [mask.height, mask.width], counts }],
    },
    mask: counts,
    area: area(mask),
  };
}
