import type { DatasetImage } from '@/lib/core/formats/dataset';
import type { Card } from './card';

/** Counters by name, where a name may be any word. */
const empty = () => Object.create(null);

/** Counts what goes into a version, image by image. */
export class VersionTally {
  readonly counts: Card['counts'] = {
    images: 0,
    labelled: 0,
    forms: 0,
    outlines: 0,
    masks: 0,
    objects: 0,
    bySplit: empty(),
    byClass: empty(),
    bySource: empty(),
  };

  constructor(splits: readonly string[]) {
    for (const split of splits) this.counts.bySplit[split] = 0;
  }

  add(image: DatasetImage): void {
    const { counts } = this;
    const className = image.className ?? '';
    counts.images += 1;
    counts.bySplit[image.split] = (counts.bySplit[image.split] ?? 0) + 1;
    const row = counts.byClass[className] ?? empty();
    counts.byClass[className] = row;
    row[image.split] = (row[image.split] ?? 0) + 1;
    if (image.attributes || image.attributeMasks.length > 0 || image.objects.length > 0) counts.labelled += 1;
    if (image.attributes) counts.forms += 1;
    const outlines = image.objects.flatMap(({ outline }) => (outline ? [outline] : []));
    const masks = [...image.attributeMasks, ...image.objects.flatMap(({ parts }) => parts)];
    counts.objects += image.objects.length;
    counts.outlines += outlines.length;
    counts.masks += masks.length;
    for (const { source } of [...(image.attributes ? [image.attributes] : []), ...outlines, ...masks])
      counts.bySource[source] = (counts.bySource[source] ?? 0) + 1;
  }

  get labels(): number {
    return this.counts.forms + this.counts.outlines + this.counts.masks;
  }
}
