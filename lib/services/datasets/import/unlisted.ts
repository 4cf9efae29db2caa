import type { SourceTree } from '@/lib/core/formats/format';
import { folderOf, isPicture } from '@/lib/core/formats/general/tree';

/** Pictures that lie among those of a dataset and are not of it; maps and masks have folders of their own. */
export function unlisted(tree: SourceTree, seen: ReadonlySet<string>): string[] {
  const folders = new Set([...seen].map(folderOf));
  return tree.paths.filter((path) => isPicture(path) && !seen.has(path) && folders.has(folderOf(path)));
}
