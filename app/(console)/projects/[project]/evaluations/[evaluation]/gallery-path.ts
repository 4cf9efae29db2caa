import type { GalleryFilter } from '@/lib/core/robustness/report/report';
import type { GalleryQuery } from '@/lib/services/evaluations/gallery';

/** What is in the address of a gallery, by the names that the address uses. */
export type GalleryAddress = Partial<Record<keyof GalleryQuery, string | number | undefined>>;

/** The gallery of an evaluation, filtered as a point or a line asks. */
export const galleryPath = (path: string, filter: GalleryFilter): string =>
  galleryAddress(path, addressOf(filter));

export function galleryAddress(path: string, address: GalleryAddress): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(address))
    if (value !== undefined && value !== '' && !(name === 'offset' && value === 0))
      query.set(name, String(value));
  const text = query.toString();
  return `${path}${text && `?${text}`}#gallery`;
}

const addressOf = ({
  className,
  isRight,
  attribute,
  alsoAttribute,
  ...rest
}: GalleryFilter): GalleryAddress => ({
  ...rest,
  class: className,
  right: isRight === undefined ? undefined : isRight ? 'yes' : 'no',
  ...(attribute ? { group: `Attribute: ${attribute}` } : {}),
  ...(alsoAttribute ? { also: `Attribute: ${alsoAttribute}` } : {}),
});

/** A line that names images, and not only all of them. */
export const isInGallery = (filter: GalleryFilter): boolean =>
  Object.values(filter).some((each) => each !== undefined);
