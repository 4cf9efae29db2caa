import { getTranslations } from 'next-intl/server';
import { Panel } from '@/app/_ui/panel';
import type { MistakeKind } from '@/lib/core/quality/mistakes';

/** After an exam that was not passed: what kinds of mistakes there were, and when the next attempt is. */
export async function MistakeList({ mistakes, retry }: { mistakes: readonly MistakeKind[]; retry?: string }) {
  const t = await getTranslations('exam');
  return (
    <Panel title={t('mistakesTitle')}>
      <ul className="flex list-disc flex-col gap-1.5 ps-5">
        {mistakes.map((kind) => (
          <li key={kind}>{t(`mistakes.${kind}`)}</li>
        ))}
        {mistakes.length === 0 && <li>{t('noPattern')}</li>}
      </ul>
      {retry && <p className="mt-3 font-medium">{retry}</p>}
    </Panel>
  );
}
