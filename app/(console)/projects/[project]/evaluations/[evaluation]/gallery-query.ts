import type { GalleryFilter } from '@/lib/core/robustness/report/report';
import { GalleryQuery } from '@/lib/services/evaluations/gallery';

/** Query parameters of a gallery URL. */
type GalleryAddress = Partial<Record<keyof GalleryQuery, string | number | undefined>>;

/** URL of the gallery with a filter. */
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

/** Whether a filter restricts the gallery. */
export const isInGallery = (filter: GalleryFilter): boolean =>
  Object.values(filter).some((each) => each !== undefined);

/** Parses the gallery query of a URL; empty fields are ignored and invalid queries show all images. */
export function readGallery(params: Record<string, string | string[] | undefined>): GalleryQuery {
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
  const asked = GalleryQuery.safeParse(given).data ?? GalleryQuery.parse({});
  // A level needs a variant.
  return asked.variant ? asked : { ...asked, level: undefined };
}

const known: Record<string, string> = {
  pTrue: 'lowest true-class probability first',
  margin: 'smallest margin first',
  irfs: 'most background-sensitive first',
  labelSuspicion: 'likely label errors first',
  'saliency iou': 'lowest saliency IoU first',
  'saliency delta': 'lowest saliency difference first',
  'saliency lift': 'lowest saliency lift first',
};

/** Describes a sort order. */
export const scoreWords = (score: string): string =>
  known[score] ?? (score.startsWith('drop ') ? `largest drop first: ${score.slice('drop '.length)}` : score);
