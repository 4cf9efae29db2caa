import { rival10 } from '@/lib/core/schema/presets';
import type { DatasetImage } from '../dataset';
import { stemOf } from '../names';

export const ROOT = 'RIVAL10';

/** The 18 attributes in the order of the vectors. */
export const ATTRIBUTES = rival10.attributes
  .filter(({ codes }) => codes?.index !== undefined)
  .sort((a, b) => (a.codes?.index ?? 0) - (b.codes?.index ?? 0));

export const WHOLE = 'entire-object';

export const classOfWnid = (wnid: string): string | null =>
  rival10.classes.find(({ wnids }) => wnids?.includes(wnid))?.id ?? null;

/** The loader takes the class from the WordNet id in the name: the image's own, or else the first of its class. */
export function wnidOf({ wnid, className }: DatasetImage): string {
  const own = rival10.classes.find(({ id }) => id === className)?.wnids ?? [];
  return wnid !== null && own.includes(wnid) ? wnid : (own[0] ?? '');
}

export const sampleStem = (image: DatasetImage): string => `${wnidOf(image)}_${stemOf(image.name)}`;

export const samplePath = (image: DatasetImage): string =>
  `${ROOT}/${image.split}/ordinary/${sampleStem(image)}`;

/** What the public loader looks ImageNet classes up by. */
export const imageNetNames: Readonly<Record<string, string>> = {
  n03796401: 'moving van',
  n04467665: 'semi',
  n02814533: 'waggon',
  n03100240: 'convertible',
  n02690373: 'airliner',
  n04552348: 'military plane',
  n03673027: 'ocean liner',
  n03095699: 'container vessel',
  n02123394: 'Persian',
  n02124075: 'Egyptian',
  n02099712: 'Labrador',
  n02099601: 'golden retriever',
  n02389026: 'sorrel',
  n02391049: 'zebra',
  n02423022: 'gazelle',
  n02422699: 'Aepyceros melampus',
  n01644900: 'Ascaphus trui',
  n01644373: 'tree-frog',
  n01531178: 'Carduelis carduelis',
  n01532829: 'Carpodacus mexicanus',
};
