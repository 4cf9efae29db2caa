import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { moduleOf, type SourceFile } from './source-files';

/** By module: the files that code outside the module imports, each with the names that are imported from it. */
export function findPublicFiles(
  area: string,
  files: readonly SourceFile[],
): Map<string, Map<string, Set<string>>> {
  const names = new Set(files.map(({ name }) => name));
  const found = new Map<string, Map<string, Set<string>>>();
  for (const { name, importedNames } of files) {
    for (const [target, imported] of importedNames) {
      const module = moduleOf(area, target);
      if (module === null || module === moduleOf(area, name)) continue;
      const file = [target, `${target}/index`].find(
        (each) => names.has(`${each}.ts`) || names.has(`${each}.tsx`),
      );
      if (!file?.startsWith(`${area}/${module}/`)) continue;
      const publicFiles = found.get(module) ?? new Map<string, Set<string>>();
      found.set(module, publicFiles);
      const relative = file.slice(`${area}/${module}/`.length);
      publicFiles.set(relative, new Set([...(publicFiles.get(relative) ?? []), ...imported]));
    }
  }
  return found;
}

/** The first sentence of the README.md of a module, or of the comment at the top of its index.ts. */
export function readPurpose(folder: string): string {
  const readme = read(`${folder}/README.md`);
  const comment = /^\/\*\*(.*?)\*\//s.exec(read(`${folder}/index.ts`) ?? '')?.[1];
  const text = readme?.replace(/^# .*\n+/, '') ?? comment?.replace(/^\s*\* ?/gm, '') ?? '';
  return /^.*?\.(?=\s|$)/s.exec(text.trim())?.[0].replace(/\s+/g, ' ') ?? '';
}

function read(name: string): string | null {
  const file = path.join(projectFolder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
