import type { DatasetImage } from '../dataset';
import { stemOf } from '../names';

/** Readers take the folder from the first nine letters and split at the underscore: "n01440764_18.JPEG", nothing else. */
export function releaseName(image: DatasetImage): string {
  const stem = stemOf(image.name);
  const isOwn = image.wnid !== null && stem.startsWith(`${image.wnid}_`);
  return `${isOwn ? stem : `${image.wnid}_${stem}`}.JPEG`;
}

export function releaseNameProblem(name: string): string | null {
  if (!/^n\d{8}_/.test(name)) return 'has no WordNet id before it, by which the release keeps images';
  return /^n\d{8}_[^_.]+\.JPEG$/.test(name) ? null : 'has a dot or an underscore too many for its readers';
}
