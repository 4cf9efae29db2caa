import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { noValue } from '@/lib/core/format';
import type { WorkerMoney } from '@/lib/services/crowd/pay';

type Kind = 'pending' | 'approved' | 'paid' | 'inReview';

/** What was earned, approved and paid. Only money that was sent counts as paid. */
export async function Earnings({ money }: { money: readonly WorkerMoney[] }) {
  const t = await getTranslations('money');
  const format = await getWorkerFormat();
  const sum = (kind: Kind) => money.map((row) => format.money(row[kind], row.currency)).join(', ') || noValue;
  return (
    <section aria-label={t('title')} className="flex flex-col gap-2">
      <StatStrip>
        <Stat label={t('pending')} value={sum('pending')} href="/annotate/account" />
        {money.some(({ inReview }) => inReview > 0n) && (
          <Stat label={t('inReview')} value={sum('inReview')} />
        )}
        <Stat label={t('approved')} value={sum('approved')} />
        <Stat label={t('paid')} value={sum('paid')} />
      </StatStrip>
      <p className="text-sm text-ink-2">{t('steps')}</p>
    </section>
  );
}
