import { area, encodeCounts } from '@/lib/mask';
import { partsOfClass } from '@/lib/schema/parts';
import { Book } from './book';
import type { DemoProject } from './collection';
import type { DemoImage } from './past-work';

/** A chunk of pictures whose every part is labelled, with the masks the generator knows. */
export function labelParts(project: Omit<DemoProject, 'policy'>, pictures: DemoImage[], at: Date): Book {
  const book = new Book();
  for (const { id: imageId, scene } of pictures) {
    for (const part of partsOfClass(project.schema, scene.className)) {
      const mask = scene.partMasks[part.id];
      const isThere = mask !== undefined && area(mask) > 0;
      const itemId = book.add('items', {
        projectId: project.id,
        stageId: project.stages.partMask.id,
        imageId,
        schemaVersionId: project.schemaVersionId,
        target: part.id,
        state: 'settled',
        createdAt: at,
      });
      book.add('labels', {
        projectId: project.id,
        itemId,
        imageId,
        target: part.id,
        value: isThere ? maskValue(encodeCounts(mask), scene.height, scene.width) : { kind: 'nothing' },
        mask: isThere ? encodeCounts(mask) : null,
        area: isThere ? area(mask) : null,
        source: 'generator',
        provenance: { generator: 'scenes' },
        confidence: 1,
        createdAt: at,
      });
    }
  }
  return book;
}

const maskValue = (counts: string, height: number, width: number) => ({
  kind: 'mask',
  shapes: [{ kind: 'bitmap', op: 'add', size: [height, width], counts }],
});
