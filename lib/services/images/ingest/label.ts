const MAX_SEGMENT = 120;
const MAX_LABEL = 500;

/**
 * A name as people may read it, made from whatever a client or an archive calls a file. It is never used
 * as a path: steps up, drive letters, control characters and characters that reorder text are dropped.
 */
export function cleanLabel(name: string): string {
  const segments = name
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '')
    // PostgreSQL has no place for half a character.
    .replace(/\p{Surrogate}/gu, '')
    .split(/[\\/]+/)
    .map((segment) => segment.trim().replace(/^[A-Za-z]:$/, ''))
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .map(shorten);
  return segments.slice(-12).join('/').slice(-MAX_LABEL).replace(/^\//, '') || 'unnamed';
}

/** The ending stays, because people tell files apart by it. */
function shorten(segment: string): string {
  if (segment.length <= MAX_SEGMENT) return segment;
  const ending = /\.[^.]{1,10}$/.exec(segment)?.[0] ?? '';
  return `${segment.slice(0, MAX_SEGMENT - ending.length - 1)}…${ending}`;
}

/** Litter that file managers leave in folders and archives. */
export function isSystemFile(label: string): boolean {
  const segments = label.split('/');
  const name = segments.at(-1) ?? '';
  return (
    segments.includes('__MACOSX') ||
    name.startsWith('._') ||
    ['.DS_Store', 'Thumbs.db', 'thumbs.db', 'desktop.ini', '.gitkeep'].includes(name)
  );
}

/** "a/cat.jpg", then "a/cat (2).jpg": a label names one file of its upload. */
export function uniqueLabel(label: string, taken: { has(label: string): boolean }): string {
  if (!taken.has(label)) return label;
  const [, stem = label, ending = ''] = /^(.*?)(\.[^./]{1,10})?$/s.exec(label) ?? [];
  for (let number = 2; ; number++) {
    const candidate = `${stem} (${number})${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

export const endingOf = (label: string): string => /\.([^./]{1,10})$/.exec(label)?.[1]?.toLowerCase() ?? '';
