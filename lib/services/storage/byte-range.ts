import type { ByteRange } from './types';

/** What a Range header asks of a body: all of it, one part of it, or something it does not have. */
export function parseRange(header: string | null, size: number): ByteRange | 'all' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  // Several ranges, or a unit we do not know: HTTP lets a server answer with the whole.
  if (!match || (match[1] === '' && match[2] === '')) return 'all';
  const [, from = '', to = ''] = match;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return 'all';
  return start >= size ? 'unsatisfiable' : { start, end };
}
