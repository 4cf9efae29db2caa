import { area, encodeCounts, type Mask } from '@/lib/core/mask';
import { partsOfClass, writeTarget } from '@/lib/core/schema';
import { Book } from './book';
import type { DemoProject } from './collection';
import type { DemoImage } from './past-work';
import type { Scene } from './scenes';

/** A chunk of pictures whose every part is labelled, with the masks the generator knows. */
export function labelParts(project: Omit<DemoProject, 'policy'>, pictures: DemoImage[], at: Date): Book {
  const book = new Book();
  for (const { id: imageId, scene } of pictures)
    objectsOf(scene).forEach(({ className, partMasks }, index) => {
      for (const { id } of partsOfClass(project.schema, className))
        label(book, project, {
          imageId,
          target: writeTarget({ id, instance: index + 1, className }),
          mask: partMasks[id],
          at,
        });
    });
  return book;
}

interface Thing {
  className: string;
  partMasks: Record<string, Mask>;
}

/** The main object comes first: in a street scene, the one in front. */
function objectsOf(scene: Scene): Thing[] {
  const { instances } = scene;
  if (!instances) return [scene];
  return [...instances].reverse().filter(({ mask }, index) => index === 0 || area(mask) > 0);
}

interface Labelled {
  imageId: string;
  target: string;
  mask: Mask | undefined;
  at: Date;
}

function label(
  book: Book,
  project: Omit<DemoProject, 'policy'>,
  { imageId, target, mask, at }: Labelled,
): void {
  const drawn = mask && area(mask) > 0 ? mask : null;
  const itemId = book.add('items', {
    projectId: project.id,
    stageId: project.stages.partMask.id,
    imageId,
    schemaVersionId: project.schemaVersionId,
    target,
    state: 'settled',
    createdAt: at,
  });
  book.add('labels', {
    projectId: project.id,
    itemId,
    imageId,
    target,
    value: drawn ? maskValue(drawn) : { kind: 'nothing' },
    mask: drawn && encodeCounts(drawn),
    area: drawn && area(drawn),
    source: 'generator',
    provenance: { generator: 'scenes' },
    confidence: 1,
    createdAt: at,
  });
}

const maskValue = (mask: Mask) => ({
  kind: 'mask',
  shapes: [{ kind: 'bitmap', op: 'add', size: [mask.height, mask.width], counts: encodeCounts(mask) }],
});
