export const TASKS_PATH = 'tasks.json';
/** To be pasted into Label Studio's labelling interface. */
export const CONFIG_PATH = 'labeling-config.xml';
export const imagePath = (split: string, name: string): string => `images/${split}/${name}`;

/** How Label Studio reaches files of its own machine. */
const LOCAL = '/data/local-files/?d=';
export const urlOf = (path: string): string => `${LOCAL}${path.split('/').map(encodeURIComponent).join('/')}`;

/** Whether folders in it are those of a server, and not of the files beside the labels. */
export const isElsewhere = (url: string): boolean =>
  !url.startsWith(LOCAL) && (url.startsWith('/') || /^[a-z0-9+.-]+:\/\//i.test(url));

/** The path within an address, whatever storage it is of. */
export function pathOfUrl(url: string): string {
  const path = url.startsWith(LOCAL)
    ? url.slice(LOCAL.length)
    : url.replace(/^[a-z0-9+.-]+:\/\/[^/]*\//i, '').replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
