import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import type { StageKind } from '@/db/schema';
import { roundedMs } from '@/lib/core/i18n/worker-format';
import type { Terms } from '@/lib/services/crowd/worker';

interface TermsLineProps {
  terms: Terms;
  stageKind: StageKind;
  /** Where the price is said beside it. */
  withoutPrice?: boolean;
}

const draws = (kind: StageKind) => kind === 'object-mask' || kind === 'part-mask';

/** What is done and paid, how long it takes and what that is per hour: shown next to every "Start". */
export async function TermsLine({ terms, stageKind, withoutPrice }: TermsLineProps) {
  const t = await getTranslations('terms');
  const format = await getWorkerFormat();
  const { items, payMicro, currency, durationMs, hourlyMicro, source } = terms;
  const count = draws(stageKind) ? t('outlines', { count: items }) : t('pictures', { count: items });
  const facts = [
    withoutPrice ? '' : t('price', { money: format.money(payMicro, currency), items: count }),
    durationMs === null ? '' : t('duration', { duration: format.duration(roundedMs(durationMs)) }),
    hourlyMicro === null ? '' : t('hourly', { money: format.money(hourlyMicro, currency) }),
  ].filter((text) => text !== '');
  return (
    <span className="block">
      <span className="flex flex-wrap gap-x-4 gap-y-0.5 tabular-nums">
        {facts.map((text, index) => (
          <span key={text} className={index === 0 && !withoutPrice ? 'font-medium' : 'text-ink-2'}>
            {text}
          </span>
        ))}
      </span>
      <span className="block text-sm text-ink-3">{t(source)}</span>
    </span>
  );
}
