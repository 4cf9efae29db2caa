import type { GalleryFilter } from '@/lib/core/robustness/report/report';
import { GalleryQuery } from '@/lib/services/evaluations/gallery';

/** What is in the address of a gallery, by the names that the address uses. */
type GalleryAddress = Partial<Record<keyof GalleryQuery, string | number | undefined>>;

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

/** What an address asks of the gallery. A field that was left empty asks nothing; nonsense shows all images. */
export function readGallery(params: Record<string, string | string[] | undefined>): GalleryQuery {
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
  const asked = GalleryQuery.safeParse(given).data ?? GalleryQuery.parse({});
  // A level is one of its variant.
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

/** What stands first when images are sorted by a score. */
export const scoreWords = (score: string): string =>
  known[score] ?? (score.startsWith('drop ') ? `largest drop first: ${score.slice('drop '.length)}` : score);
