import type { GalleryFilter } from '@/lib/evaluation/report/report';

/** The gallery of an evaluation, filtered as a point or a line asks. */
export function galleryPath(
  path: string,
  { className, predicted, isRight, sort, offset }: GalleryFilter & { offset?: number },
): string {
  const query = new URLSearchParams();
  if (className) query.set('class', className);
  if (predicted) query.set('predicted', predicted);
  if (isRight !== undefined) query.set('right', isRight ? 'yes' : 'no');
  if (sort) query.set('sort', sort);
  if (offset) query.set('offset', String(offset));
  const text = query.toString();
  return `${path}${text && `?${text}`}#gallery`;
}

/** The gallery can show the images of a line: it knows nothing of attributes, sizes and edges. */
export const isInGallery = ({ className, predicted, attribute, isRight, sort }: GalleryFilter): boolean =>
  attribute === undefined && [className, predicted, isRight, sort].some((each) => each !== undefined);
