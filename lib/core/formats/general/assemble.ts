import { area, intersectionArea, type Mask } from '@/lib/core/mask';
import type { SourceImage } from '../format';
import type { ReadFacts } from './facts';
import type { Notes } from './notes';
import { gather, imported, type Thing } from './things';
import type { Vocabulary } from './vocabulary';

/** A mask as a file names it. */
export interface RawThing {
  name: string;
  /** Null where the file does not say which masks belong to one object. */
  instance: number | null;
  mask: Mask;
}

type Labels = Omit<SourceImage, 'path' | 'bytes' | 'name' | 'split' | 'width' | 'height'>;

/** The labels of one image from what a file says about it. Names that mean nothing are noted and left out. */
export function assemble(
  raw: readonly RawThing[],
  facts: ReadFacts,
  vocabulary: Vocabulary,
  notes: Notes,
  where: string,
): Labels {
  const known = raw.flatMap(({ name, instance, mask }) => {
    const meaning = vocabulary.resolve(name);
    if (meaning) return [{ ...imported, ...meaning, instance, mask }];
    notes.add(`masks of "${name.slice(0, 80)}", which is no label of the dataset, were left out`, where);
    return [];
  });
  const things = known.map((thing) =>
    thing.kind === 'attribute' ? { ...thing, instance: 0 } : { ...thing, instance: thing.instance || null },
  );
  const { told, ...rest } = facts;
  const numbered = number(
    things,
    told.map(({ instance }) => instance),
    vocabulary,
  );
  const { objects, attributeMasks } = gather(numbered, told, facts.className);
  // Where only parts were drawn, they say what the object is.
  for (const object of objects)
    object.className ??= classOfParts(
      object.parts.map(({ id }) => id),
      vocabulary,
    );
  return { ...rest, className: facts.className ?? objects[0]?.className ?? null, objects, attributeMasks };
}

type Unnumbered = Omit<Thing, 'instance'> & { instance: number | null };

/** Objects that nobody numbered are numbered by size: the picture is of the largest. Parts go to the object they lie on. */
function number(things: readonly Unnumbered[], taken: readonly number[], vocabulary: Vocabulary): Thing[] {
  const isNumbered = (thing: Unnumbered): thing is Thing => thing.instance !== null;
  const done: Thing[] = things.filter(isNumbered);
  let last = Math.max(0, ...taken, ...done.map(({ instance }) => instance));
  const open = things.filter((thing) => !isNumbered(thing));
  const bySize = open.filter(({ kind }) => kind === 'object').sort((a, b) => area(b.mask) - area(a.mask));
  for (const thing of bySize) done.push({ ...thing, instance: ++last });
  for (const part of open.filter(({ kind }) => kind === 'part')) {
    const classes = vocabulary.schema.parts.find(({ id }) => id === part.id)?.classes ?? [];
    const home = done
      .filter(({ kind, id }) => kind === 'object' && classes.includes(id))
      .map(({ instance, mask }) => ({ instance, shared: intersectionArea(mask, part.mask) }))
      .sort((a, b) => b.shared - a.shared)[0];
    const sibling = done.find(({ kind, id }) => kind === 'part' && sameClass(vocabulary, id, classes));
    done.push({ ...part, instance: home?.instance ?? sibling?.instance ?? ++last });
  }
  return done;
}

const sameClass = ({ schema }: Vocabulary, partId: string, classes: readonly string[]): boolean =>
  schema.parts.some(({ id, classes: its }) => id === partId && its.some((each) => classes.includes(each)));

function classOfParts(ids: readonly string[], { schema }: Vocabulary): string | null {
  const lists = schema.parts.filter(({ id }) => ids.includes(id)).map(({ classes }) => classes);
  const shared = (lists[0] ?? []).filter((id) => lists.every((classes) => classes.includes(id)));
  return shared.length === 1 ? (shared[0] as string) : null;
}
