import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

export interface SourceFile {
  /** Path from the project folder, with slashes. */
  name: string;
  text: string;
  /** Files and folders of the project that it imports, without extension. */
  imports: string[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"`]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Reads the TypeScript files in these folders. */
export const readSourceFiles = (...folders: string[]): SourceFile[] =>
  folders.flatMap((folder) =>
    readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readSource(`${folder}/${file.split(path.sep).join('/')}`)),
  );

function readSource(name: string): SourceFile {
  const text = readFileSync(path.join(projectFolder, name), 'utf8');
  const imports = [...text.matchAll(IMPORT)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? '';
    if (target.startsWith('@/')) return [target.slice(2)];
    return target.startsWith('.') ? [path.posix.join(path.posix.dirname(name), target)] : [];
  });
  return { name, text, imports };
}
