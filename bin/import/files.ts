import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../command';

export interface LocalFile {
  file: string;
  /** With the folders from the given one on: the last of them may say the class. */
  name: string;
  bytes: number;
}

/** The files that were meant: files and zips themselves, and all that lies in folders. */
export function filesOf(given: string[]): LocalFile[] {
  return given.flatMap((each) => {
    const start = path.resolve(each);
    const found = statSync(start, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`There is no file or folder ${each}.`);
    if (!found.isDirectory()) return [{ file: start, name: path.basename(start), bytes: found.size }];
    return readdirSync(start, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => ({
        file,
        name: path.relative(path.dirname(start), file).split(path.sep).join('/'),
        bytes: statSync(file).size,
      }));
  });
}
