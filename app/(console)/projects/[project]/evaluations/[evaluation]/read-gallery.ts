import { GalleryQuery } from '@/lib/services/evaluations/gallery';

/** What an address asks of the gallery. A field that was left empty asks nothing; nonsense shows all images. */
export function readGallery(params: Record<string, string | string[] | undefined>): GalleryQuery {
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
  const asked = GalleryQuery.safeParse(given).data ?? GalleryQuery.parse({});
  // A level is one of its variant.
  return asked.variant ? asked : { ...asked, level: undefined };
}
