import type { Reply, SeenItem } from './visitor';

/** Everything that a worker sees of one item on the way from the batch to the stored answer. */
export interface Observation {
  batch: string;
  item: SeenItem;
  siblings: readonly SeenItem[];
  image: Reply;
  draft: Reply;
  answer: Reply;
  isCheck: boolean;
}

const madeAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
const share = (list: readonly unknown[], isIt: (value: never) => boolean) =>
  list.filter(isIt as (value: unknown) => boolean).length / Math.max(1, list.length);

/** Named numbers of an observation. Categories become one feature each. */
export function featuresOf({ item, siblings, image, draft, answer }: Observation): Record<string, number> {
  const at = siblings.findIndex(({ leaseId }) => leaseId === item.leaseId);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const sameImage = (other: SeenItem | undefined) =>
    other?.image.width === item.image.width &&
    other?.image.height === item.image.height &&
    other?.className === item.className;
  const moments = siblings.map(({ leaseId }) => madeAt(leaseId));
  const classShare = share(siblings, ((other: SeenItem) => other.className === item.className) as never);
  return {
    position: at / siblings.length,
    isFirst: Number(at === 0),
    isLast: Number(at === siblings.length - 1),
    classShare,
    isOnlyOfClass: Number(classShare * siblings.length === 1),
    classAsBefore: Number(before?.className === item.className),
    classAsAfter: Number(after?.className === item.className),
    imageAsBefore: Number(sameImage(before)),
    imageAsAfter: Number(sameImage(after)),
    targetsOfImage: siblings.filter(sameImage).length,
    neighbours: item.neighbours.length,
    hasNeighbours: Number(item.neighbours.length > 0),
    width: item.image.width,
    height: item.image.height,
    workingWidth: item.image.working.width,
    urlLength: item.image.working.url.length,
    hasDefinition: Number(item.target?.definition != null),
    hasOutline: Number(item.hasOutline),
    hasDraft: Number(item.draft !== null),
    leaseMoment: madeAt(item.leaseId) - Math.min(...moments),
    leaseTail: Number.parseInt(item.leaseId.slice(-6), 16) / 0xffffff,
    schemaTail: Number.parseInt(item.schemaVersionId.slice(-4), 16) / 0xffff,
    imageBytes: image.body.length,
    imageMs: image.ms,
    imageHeaders: [...image.headers.keys()].length,
    etagLength: (image.headers.get('etag') ?? '').length,
    hasLastModified: Number(image.headers.has('last-modified')),
    cacheLength: (image.headers.get('cache-control') ?? '').length,
    draftMs: draft.ms,
    draftStatus: draft.status,
    answerMs: answer.ms,
    answerBytes: answer.body.length,
    answerStatus: answer.status,
    [`class ${item.className}`]: 1,
    [`target ${item.target?.id}`]: 1,
    [`class before ${before?.className}`]: 1,
  };
}
