import { looksLikeId } from '@/lib/services/access';

const longest = 63;

/** A project's name in the address bar. Empty when the name has no letter or digit to make it of. */
export function slugFrom(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
  // An address that could be an id would never be found by its slug.
  return looksLikeId(slug) ? `p-${slug}` : slug;
}

export const isSlug = (text: string): boolean =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !looksLikeId(text);
