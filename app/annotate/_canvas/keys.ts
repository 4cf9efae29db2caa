import { type ActionId, keyText, type Platform, shortcuts } from '@/lib/annotator';

export function platform(): Platform {
  return typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent) ? 'mac' : 'other';
}

/** The first key of an action, as a person reads it. */
export function keyFor(action: ActionId): string {
  const [key] = shortcuts.find(({ id }) => id === action)?.keys ?? [];
  return key === undefined ? '' : keyText(key, platform());
}
