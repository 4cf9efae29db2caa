import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { findImportCycles, importsWithin, readSourceFiles } from './source-files';

/**
 * `npm run code:size` prints the size of the code base. Files and folders are those tracked by git; a folder counts if
 * it directly contains a file. Source files are TypeScript files outside of `test`.
 */
const names = execFileSync('git', ['ls-files'], { cwd: projectFolder, encoding: 'utf8' })
  .split('\n')
  .slice(0, -1);
const sources = names
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('test/'))
  .map((name) => ({ name, lines: countLines(name) }))
  .toSorted((a, b) => a.lines - b.lines);
const files = readSourceFiles('lib', 'db', 'app', 'workers', 'bin');
const cycles = ['lib/core', 'lib/services'].flatMap((area) => findImportCycles(importsWithin(area, files)));

console.table({
  'tracked files': names.length,
  'folders with files': new Set(names.map((name) => path.posix.dirname(name))).size,
  'source files': sources.length,
  'median lines of a source file': sources[Math.floor(sources.length / 2)]?.lines,
  'longest source file': `${sources.at(-1)?.lines} (${sources.at(-1)?.name})`,
  'modules in import cycles': cycles.flat().length,
});

function countLines(name: string): number {
  return readFileSync(path.join(projectFolder, name), 'utf8').split('\n').length - 1;
}
