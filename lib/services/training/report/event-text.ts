import { formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import type { StoredEvent } from '../runs/run-curves';
import { attackName } from './tests-of';

const share = (value: unknown): string =>
  formatPercent((value as { accuracy?: number | null } | undefined)?.accuracy);

/** One line for people; null for what a curve shows better. */
export function eventText({ kind, document }: Pick<StoredEvent, 'kind' | 'document'>): string | null {
  const at = `stage ${Number(document.stage) + 1}, epoch ${document.epoch}`;
  switch (kind) {
    case 'start':
      return `${document.resumed ? 'Goes on' : 'Begins'} with torch ${document.torch} on ${document.device}: ${formatNumber(Number(document.parameters))} parameters, ${document.steps} steps an epoch.`;
    case 'checkpoint':
      return `Checkpoint at step ${document.step}.`;
    case 'artifact':
      return String(document.path).includes('/previews/') ? null : `Wrote ${document.path}.`;
    case 'warning':
    case 'note':
      return String(document.message);
    case 'end':
      // The trainer's own word.
      return `Ended: ${document.state === 'canceled' ? 'cancelled' : document.state}.`;
    case 'metrics':
      if (document.split === 'val')
        return `Validated ${at}: clean ${share(document.clean)}${document.adv ? `, adversarial ${share(document.adv)}` : ''}${document.best ? ', the best so far' : ''}.`;
      if (document.split === 'test')
        return `Tested ${attackName(String(document.attack))}: ${share(document)}${document.seconds ? ` in ${formatDuration(Number(document.seconds))}` : ''}.`;
      return null;
    default:
      return null;
  }
}
