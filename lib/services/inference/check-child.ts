import { compareExport } from './compare-export';
import { serveRequests } from './serve-child';

serveRequests(async (_call, folder) => {
  // A model that refers to other files by relative path can only read files of its own folder.
  process.chdir(folder as string);
  return compareExport(folder as string);
});
